//! Documents of the administration API.

pub mod change_requests;
pub mod context_field;
pub mod dependency;
pub mod environment;
pub mod event;
pub mod feature_type;
pub mod flag;
pub mod flag_document;
pub mod flag_list;
pub mod project;
pub mod segment;
pub mod strategy;
pub mod strategy_fields;
pub mod strategy_type;
pub mod timestamp;
pub mod token;
pub mod user;
