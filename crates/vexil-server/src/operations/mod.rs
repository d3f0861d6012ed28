//! What the handlers run, without HTTP.

pub(crate) mod playground;
