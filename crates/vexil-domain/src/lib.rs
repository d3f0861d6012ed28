//! The vocabulary of feature flags as plain values: flags, activation strategies, constraints,
//! segments, variants, contexts, environments, projects, and the snapshot that holds them all.
//!
//! Nothing here evaluates, stores or transports anything. Values are plain data; what must hold
//! between them is checked by the crates that build on this one.
//!
//! # Cargo features
//!
//! * `serde` (off by default): `Serialize` and `Deserialize` for the values whose stored form and
//!   Unleash's wire form are one and the same document (constraints, variants, strategies,
//!   dependencies). Everything else is turned into documents by `vexil-client-api` and `vexil-admin-api`.

mod actor;
mod constraint;
mod context;
mod dependents;
mod environment;
mod environment_revision;
mod environment_snapshot;
mod flag;
mod flag_upkeep;
mod names;
mod project;
mod properties;
mod segment;
mod small_map;
mod snapshot;
mod stickiness;
mod strategy;
mod strategy_type;
mod tag;
mod variant;

pub use actor::{Actor, ActorId};
pub use constraint::{Constraint, ConstraintMember, ConstraintSource, Operator, read_constraint};
pub use context::Context;
pub use dependents::Dependents;
pub use environment::Environment;
pub use environment_revision::EnvironmentRevision;
pub use environment_snapshot::{EnvironmentFlag, EnvironmentSnapshot};
pub use flag::{Dependency, FeatureFlag, FlagSettings, SettingsByEnvironment};
pub use flag_upkeep::{Completion, FlagLink};
pub use names::{EnvironmentName, FlagName, NameError, ProjectId, SegmentId, StrategyId, check_url_friendly};
pub use project::{ChangeRequestRule, ChangedEffect, Project, ProjectEnvironment};
pub use properties::Properties;
pub use segment::Segment;
pub use small_map::SmallMap;
pub use snapshot::{Snapshot, SnapshotDelta, Write};
pub use stickiness::Stickiness;
pub use strategy::{ActivationStrategy, Parameters};
pub use strategy_type::{StrategyParameter, StrategyType};
pub use tag::{Tag, TagType};
pub use variant::{Payload, Variant, VariantOverride, WeightType};
