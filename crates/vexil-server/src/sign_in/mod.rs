//! What a browser keeps to stay signed in, and under which address it finds this server.

mod address;
pub(crate) mod cookie;

pub(crate) use address::own_address;
