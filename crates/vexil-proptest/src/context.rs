//! Contexts, and the fields and values they are made of.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use vexil_domain::Context;

use crate::memoized::memoized;
use crate::text::{arb_address_text, arb_date_text, arb_number_text, arb_text, arb_version_text};

/// Context fields, few enough that contexts and constraints often meet: all standard ones, plain
/// properties, and names that are odd but allowed.
pub fn arb_field_name() -> BoxedStrategy<String> {
    memoized!(String, {
        const STANDARD: &[&str] = &[
            "userId",
            "sessionId",
            "remoteAddress",
            "environment",
            "appName",
            "currentTime",
        ];
        const PROPERTIES: &[&str] = &[
            "plan",
            "age",
            "version",
            "joined",
            "geo.country",
            "größe",
            "say \"x\"",
            "USERID",
            "",
        ];
        prop_oneof![select(STANDARD), select(PROPERTIES),]
            .prop_map(str::to_owned)
            .boxed()
    })
}

/// Context values of every kind that constraints compare.
pub fn arb_context_value() -> BoxedStrategy<String> {
    memoized!(String, {
        prop_oneof![
            4 => "[a-c]{1,2}",
            2 => arb_text(),
            2 => arb_number_text(),
            2 => arb_date_text(),
            2 => arb_version_text(),
            1 => arb_address_text(),
        ]
        .boxed()
    })
}

/// Any context: fields present, empty or absent, standard fields at the top or among the properties.
pub fn arb_context() -> BoxedStrategy<Context> {
    memoized!(Context, {
        let standard = (
            option::of(arb_context_value()),
            option::of(arb_context_value()),
            option::of(arb_address_text()),
            option::of(arb_context_value()),
            option::of(arb_context_value()),
            option::of(arb_date_text()),
        );
        let properties = vec((arb_field_name(), arb_context_value()), 0..6);
        (standard, properties)
            .prop_map(|(standard, properties)| {
                let (user_id, session_id, remote_address, environment, app_name, current_time) = standard;
                Context {
                    user_id,
                    session_id,
                    remote_address,
                    environment,
                    app_name,
                    current_time,
                    properties: properties.into_iter().collect(),
                }
            })
            .boxed()
    })
}
