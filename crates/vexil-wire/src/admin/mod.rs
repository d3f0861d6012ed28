//! Documents of the administration API.

pub mod change_requests;
pub mod strategy_fields;
pub mod timestamp;
