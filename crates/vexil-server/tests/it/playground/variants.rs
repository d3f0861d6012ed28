//! Variants: the one received, and the definitions (interface 2.3).

use serde_json::{Value, json};

use super::{Playground, entry, everybody, feature};

fn variant(name: &str, weight: u32) -> Value {
    json!({ "name": name, "weight": weight, "weightType": "variable", "stickiness": "userId" })
}

fn with_variants(constraints: Value, variants: Value) -> Value {
    let mut strategy = everybody(constraints);
    strategy["variants"] = variants;
    strategy
}

#[actix_web::test]
async fn a_flag_that_is_off_has_the_disabled_variant() {
    let playground = Playground::new();
    playground.flag("f").await;
    playground
        .strategy("f", with_variants(json!([]), json!([variant("blue", 1000)])))
        .await;
    let answer = playground.ask(json!({ "appName": "a", "userId": "u" })).await;
    let disabled = json!({ "name": "disabled", "enabled": false, "feature_enabled": false });
    assert_eq!(entry(&answer, "f")["variant"], disabled);
}

#[actix_web::test]
async fn a_flag_without_variants_has_the_disabled_variant_of_an_enabled_flag() {
    let playground = Playground::new();
    playground.flag_with("f", &[everybody(json!([]))]).await;
    let answer = playground.ask(json!({ "appName": "a", "userId": "u" })).await;
    let entry = entry(&answer, "f");
    assert_eq!(entry["variant"]["name"], "disabled");
    assert_eq!(entry["variant"]["enabled"], false);
    assert_eq!(entry["variant"]["feature_enabled"], true);
    assert_eq!(entry["variants"], json!([]));
    assert_eq!(feature(&answer, "f")["variants"], json!([]));
}

#[actix_web::test]
async fn the_variant_of_the_strategy_that_holds_is_received_with_its_payload() {
    let playground = Playground::new();
    let mut blue = variant("blue", 1000);
    blue["payload"] = json!({ "type": "json", "value": "{\"a\":1}" });
    let never = json!([{ "contextName": "userId", "operator": "IN", "values": ["nobody"] }]);
    playground
        .flag_with(
            "f",
            &[
                with_variants(never, json!([variant("red", 1000)])),
                with_variants(json!([]), json!([blue])),
            ],
        )
        .await;
    let answer = playground.ask(json!({ "appName": "a", "userId": "u" })).await;
    let entry = entry(&answer, "f");
    let expected = json!({ "name": "blue", "enabled": true, "payload": { "type": "json", "value": "{\"a\":1}" }, "feature_enabled": true });
    assert_eq!(entry["variant"], expected);
    assert_eq!(entry["variants"], json!([blue]));
    assert_eq!(
        feature(&answer, "f")["variants"],
        json!([blue, variant("red", 1000)])
    );
}

#[actix_web::test]
async fn variant_definitions_show_fixed_weights_as_stored() {
    let playground = Playground::new();
    let fixed = json!({ "name": "fixed", "weight": 100, "weightType": "fix", "stickiness": "userId",
                        "payload": { "type": "csv", "value": "a,b" } });
    playground
        .flag_with(
            "f",
            &[with_variants(json!([]), json!([fixed, variant("rest", 900)]))],
        )
        .await;
    let answer = playground.ask(json!({ "appName": "a", "userId": "u" })).await;
    assert_eq!(
        entry(&answer, "f")["variants"],
        json!([fixed, variant("rest", 900)])
    );
}

#[actix_web::test]
async fn variants_of_the_flag_serve_where_the_strategy_has_none_and_overrides_win() {
    let playground = Playground::new();
    playground.flag_with("f", &[everybody(json!([]))]).await;
    let mut special = variant("special", 0);
    special["weightType"] = json!("fix");
    special["overrides"] = json!([{ "contextName": "userId", "values": ["boss"] }]);
    let change = json!({ "feature": "f", "action": "patchVariant", "payload": { "variants": [special, variant("usual", 1000)] } });
    let id = playground.request(change).await;
    let answer = playground
        .preview(id, json!({ "appName": "a", "userId": "u,boss" }))
        .await;
    let received: Vec<_> = super::entries(&answer, "f")
        .iter()
        .map(|entry| entry["variant"].clone())
        .collect();
    let expected = |name: &str| json!({ "name": name, "enabled": true, "feature_enabled": true, "featureEnabled": true });
    assert_eq!(received, [expected("usual"), expected("special")]);
    assert_eq!(
        feature(&answer, "f")["variants"],
        json!([special, variant("usual", 1000)])
    );
}

#[actix_web::test]
async fn many_users_are_spread_as_the_sdks_spread_them() {
    let playground = Playground::new();
    let halves = json!([variant("a", 500), variant("b", 500)]);
    let mut strategy = with_variants(json!([]), halves);
    strategy["parameters"] = json!({ "rollout": "50", "stickiness": "userId", "groupId": "gX" });
    playground.flag_with("f", &[strategy]).await;
    let users: Vec<_> = (0..200).map(|user| user.to_string()).collect();
    let answer = playground
        .ask(json!({ "appName": "a", "userId": users.join(",") }))
        .await;
    for (entry, user) in super::entries(&answer, "f").iter().zip(&users) {
        let bucket = |seed: u32, buckets: u32| {
            murmur3::murmur3_32(&mut format!("gX:{user}").as_bytes(), seed).unwrap() % buckets + 1
        };
        let enabled = bucket(0, 100) <= 50;
        assert_eq!(entry["isEnabled"], enabled, "{user}");
        let expected = match (enabled, bucket(86_028_157, 1000) <= 500) {
            (false, _) => "disabled",
            (true, true) => "a",
            (true, false) => "b",
        };
        assert_eq!(entry["variant"]["name"], expected, "{user}");
    }
}

#[actix_web::test]
async fn one_percent_at_random_is_about_one_percent_of_many_questions() {
    let playground = Playground::new();
    for flag in 0..50 {
        let name = format!("f{flag}");
        let parameters = json!({ "rollout": "1", "stickiness": "random", "groupId": name });
        playground
            .flag_with(
                &name,
                &[json!({ "name": "flexibleRollout", "parameters": parameters })],
            )
            .await;
    }
    let id = playground.idle_request().await;
    let mut hits = 0;
    for _ in 0..40 {
        let answer = playground.preview(id, json!({ "appName": "a" })).await;
        hits += (0..50)
            .filter(|flag| entry(&answer, &format!("f{flag}"))["isEnabled"] == true)
            .count();
    }
    assert!((3..=50).contains(&hits), "{hits} of 2000");
}
