//! warnings
