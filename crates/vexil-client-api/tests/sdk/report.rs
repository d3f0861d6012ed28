//! What an SDK writes is what a server reads.

use time::macros::datetime;
use vexil_client_api::register::Registered;
use vexil_client_api::report::Instance;
use vexil_client_api::usage::UsageReport;
use vexil_engine::{Ambient, Context, Engine, EnvironmentFlag, OffsetDateTime, Tally, Variant};

fn instance() -> Instance {
    Instance {
        application: "shop \"north\"".to_owned(),
        instance: "7f".to_owned(),
        sdk_version: "my-sdk:1.0.0".to_owned(),
        strategies: vec!["byTenant".to_owned()],
        started: datetime!(2026-11-28 12:00:00.25 UTC),
        interval: 60_000,
    }
}

#[test]
fn a_registration_is_read_as_it_was_written() {
    let body = serde_json::from_str(&instance().registration()).unwrap();
    let read = Registered::read(&body, 250).unwrap();
    assert_eq!(
        (read.application.as_str(), read.instance.as_str()),
        ("shop \"north\"", "7f")
    );
    assert_eq!(read.sdk_version.as_deref(), Some("my-sdk:1.0.0"));
    assert_eq!(
        (read.started, read.interval),
        (Some(instance().started), Some(60_000))
    );
    assert_eq!(
        (read.strategies.len(), read.strategies[8].as_str()),
        (9, "byTenant")
    );
}

#[test]
fn a_usage_report_is_read_as_it_was_written() {
    let flag = EnvironmentFlag::new("check\tout", "default").with_variant(Variant::new("red", 1));
    let engine = Engine::compile(&[flag].into_iter().collect()).0;
    let ambient = Ambient::new(OffsetDateTime::UNIX_EPOCH, 0);
    let mut tally = Tally::default();
    let id = engine.flag("check\tout").unwrap();
    tally.check(&engine, id, true);
    tally.variant(&engine, id, &engine.variant_by(id, &Context::default(), &ambient));
    tally.variant_by_name(
        &engine,
        "unknown",
        &engine.variant("unknown", &Context::default(), &ambient),
    );
    let (start, stop) = (
        datetime!(2026-11-28 12:00:00 UTC),
        datetime!(2026-11-28 12:01:00 UTC),
    );
    let body = instance().usage(start, stop, &tally.take());
    let document: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!(
        document,
        serde_json::json!({
            "appName": "shop \"north\"",
            "instanceId": "7f",
            "bucket": {
                "start": "2026-11-28T12:00:00Z",
                "stop": "2026-11-28T12:01:00Z",
                "toggles": {
                    "check\tout": { "yes": 2, "no": 0, "variants": { "red": 1 } },
                    "unknown": { "yes": 0, "no": 1, "variants": { "disabled": 1 } },
                },
            },
        })
    );
    let read = UsageReport::read(&document, 250).unwrap();
    assert_eq!(
        (read.application.as_str(), read.stop),
        ("shop \"north\"", Some(stop))
    );
}
