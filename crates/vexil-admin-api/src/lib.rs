//! The documents of the administration API and of the playground, to and from Vexil's types.
//!
//! What SDKs read and send is in `vexil-client-api`. Reading never stops at the first problem: all that is
//! wrong with a document is listed at once, each problem with its place.

pub mod account;
pub mod application_form;
pub mod applications;
pub mod change_requests;
pub mod constraint;
pub mod context_field;
pub mod dependency;
pub mod environment;
pub mod error;
pub mod event;
pub mod export;
pub mod feature_type;
pub mod flag;
pub mod flag_document;
pub mod flag_list;
pub mod flag_names;
pub mod flag_upkeep;
mod form;
pub mod group;
pub mod import;
pub mod insights;
mod new_name;
pub mod patch;
pub mod playground;
pub mod project;
pub mod project_access;
pub mod project_document;
pub mod project_figures;
pub mod project_settings;
pub mod role;
pub mod segment;
pub mod sign_in;
pub mod sign_on;
pub mod strategy;
pub mod strategy_fields;
pub mod strategy_type;
pub mod tag;
pub mod timestamp;
pub mod token;
pub mod usage;
pub mod usage_summary;
pub mod user;
pub mod variants;
