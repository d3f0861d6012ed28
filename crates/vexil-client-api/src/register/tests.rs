use serde_json::{Value, json};
use time::macros::datetime;

use super::Registered;

const LONGEST: usize = 800;

fn paths(body: &Value) -> Vec<String> {
    Registered::read(body, LONGEST)
        .unwrap_err()
        .into_iter()
        .map(|problem| problem.path)
        .collect()
}

#[test]
fn an_instance_says_who_it_is() {
    let body = json!({
        "appName": "shop", "instanceId": "i1", "sdkVersion": "sdk:1", "strategies": ["default", 5],
        "started": "2026-11-27T21:03:20Z", "interval": "15", "more": {},
    });
    let expected = Registered {
        application: "shop".to_owned(),
        instance: "i1".to_owned(),
        sdk_version: Some("sdk:1".to_owned()),
        strategies: vec!["default".to_owned(), "5".to_owned()],
        started: Some(datetime!(2026-11-27 21:03:20 UTC)),
        interval: Some(15),
    };
    assert_eq!(Registered::read(&body, LONGEST), Ok(expected));
}

#[test]
fn an_instance_without_a_name_is_the_default_one() {
    for name in [json!(null), json!("")] {
        let body = json!({ "appName": "a", "instanceId": name, "sdkVersion": name, "strategies": [], "started": 1, "interval": 1e30 });
        let read = Registered::read(&body, LONGEST).unwrap();
        assert_eq!(
            (read.instance.as_str(), read.sdk_version, read.interval),
            ("default", None, Some(u32::MAX))
        );
    }
}

#[test]
fn every_fault_of_a_registration_is_listed() {
    assert_eq!(
        paths(&json!({})),
        [
            "/body/interval",
            "/body/started",
            "/body/strategies",
            "/body/appName"
        ]
    );
    assert_eq!(paths(&json!("x")), ["/body"]);
    let wrong = json!({
        "appName": "", "instanceId": {}, "sdkVersion": "a\u{0}", "strategies": [{}], "started": "soon", "interval": -1,
    });
    let expected = [
        "/body/interval",
        "/body/started",
        "/body/strategies/0",
        "/body/appName",
        "/body/instanceId",
        "/body/sdkVersion",
    ];
    assert_eq!(paths(&wrong), expected);
}

#[test]
fn old_sdks_are_understood() {
    let body = json!({
        "appName": "old", "instanceId": "i", "strategies": ["default"], "interval": null,
        "started": "2026-11-28T06:00:00.123456",
    });
    let read = Registered::read(&body, LONGEST).unwrap();
    assert_eq!(read.started, Some(datetime!(2026-11-28 06:00:00.123456 UTC)));
    assert_eq!(read.interval, None);
}
