#![doc = include_str!("../README.md")]

mod change;
mod change_request;
mod constraint;
mod context;
mod flag;
mod memoized;
mod realistic;
mod snapshot;
mod storable;
mod strategy;
mod tag;
mod text;
mod variant;

pub use change::{arb_change, arb_environment_change, arb_planned_changes, plan};
pub use change_request::arb_change_request;
pub use constraint::{arb_constraint, arb_constraint_on, arb_operator, arb_segment};
pub use context::{arb_context, arb_context_value, arb_field_name};
pub use flag::{arb_dependency, arb_environment_flag, arb_feature_flag, arb_flag_name, arb_flag_settings};
pub use realistic::{Shape, arb_realistic_change, realistic_change};
pub use snapshot::{
    arb_environment, arb_environment_edit, arb_environment_snapshot, arb_project, arb_segments, arb_snapshot,
    arb_strategy_type,
};
pub use storable::{arb_storable_change_request, arb_storable_snapshot, arb_storable_text};
pub use strategy::{STRATEGY_TYPES, arb_parameters, arb_percentage_text, arb_strategy};
pub use tag::{arb_tag_types, arb_tags};
pub use text::{
    arb_address_text, arb_date_text, arb_network_text, arb_number_text, arb_pattern_text, arb_text,
    arb_version_text,
};
pub use variant::{arb_payload, arb_stickiness, arb_variant, arb_variants};
