//! yggdrasil
