//! Flags for tests, put straight into the configuration.

use std::sync::Arc;

use vexil_domain::{
    ActivationStrategy, Actor, ActorId, Constraint, EnvironmentName, FeatureFlag, FlagName, FlagSettings,
    Operator, Segment, SegmentId,
};
use vexil_service::Transaction;

use crate::support::{START, TestServer};

/// Edits the configuration as it is, without any rule of the administration API.
pub fn edit(server: &TestServer, edit: impl Fn(&mut Transaction<'_>)) {
    let actor = Actor {
        id: ActorId(1),
        name: "test".to_owned(),
    };
    let edit = |tx: &mut Transaction<'_>| {
        edit(tx);
        Ok(())
    };
    server.app().edit_blocking(&actor, edit).unwrap();
}

/// Puts a flag into the project `default`.
pub fn put_flag(server: &TestServer, name: &str, change: impl Fn(&mut FeatureFlag)) {
    edit(server, |tx| {
        let mut flag = FeatureFlag::new(name, "default", START);
        change(&mut flag);
        tx.snapshot.flags.insert(FlagName::from(name), Arc::new(flag));
    });
}

/// Switches the flag on in development, with these strategies.
pub fn on(flag: &mut FeatureFlag, strategies: Vec<ActivationStrategy>) {
    let settings = FlagSettings {
        enabled: true,
        strategies,
        variants: Vec::new(),
    };
    flag.environments
        .insert(EnvironmentName::from("development"), Arc::new(settings));
}

/// A strategy for those whose field has one of the values.
pub fn for_values(field: &str, values: &[&str]) -> ActivationStrategy {
    let mut constraint = Constraint::new(field, Operator::In);
    constraint.values = values.iter().map(|value| (*value).to_owned()).collect();
    ActivationStrategy::new(format!("{field}-{values:?}"), "default").with_constraint(constraint)
}

/// A segment for those whose field has one of the values.
pub fn put_segment(server: &TestServer, id: i64, field: &str, values: &[&str]) {
    edit(server, |tx| {
        let constraints = for_values(field, values).constraints;
        let segment = Segment::new(SegmentId(id), format!("segment-{id}"), constraints);
        tx.snapshot.segments.insert(SegmentId(id), Arc::new(segment));
    });
}
