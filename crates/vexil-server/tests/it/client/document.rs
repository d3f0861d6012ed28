//! What the flags of an environment look like to an SDK.

use super::*;

#[actix_web::test]
async fn a_flag_is_written_as_sdks_know_it() {
    let server = TestServer::new();
    put_flag(&server, "full", |flag| {
        flag.description = Some("d".to_owned());
        flag.impression_data = true;
        flag.stale = true;
        flag.dependencies = vec![Dependency {
            parent: "plain".into(),
            enabled: true,
            variants: Vec::new(),
        }];
        let mut strategy = for_values("userId", &["a"]).with_parameter("rollout", "50");
        strategy.variants = vec![variant("red")];
        on(flag, vec![strategy]);
    });
    put_flag(&server, "plain", |_| {});
    let answer = get(&server, FEATURES, &[]).await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let mut body = answer.ok();
    let meta = body.as_object_mut().unwrap().remove("meta").unwrap();
    assert_eq!(Some(meta["etag"].as_str().unwrap()), answer.header("etag"));
    assert!(meta["revisionId"].is_u64() && meta["queryHash"].is_string());
    assert_eq!(
        body,
        json!({
            "version": 2,
            "features": [
                {
                    "name": "full", "type": "release", "enabled": true, "project": "default", "stale": true,
                    "strategies": [{
                        "name": "default",
                        "constraints": [{ "contextName": "userId", "operator": "IN", "values": ["a"] }],
                        "parameters": { "rollout": "50" },
                        "variants": [{
                            "name": "red", "weight": 1000, "weightType": "variable", "stickiness": "default",
                            "payload": { "type": "string", "value": "x" },
                        }],
                    }],
                    "variants": [], "description": "d", "impressionData": true,
                    "dependencies": [{ "feature": "plain", "enabled": true, "variants": [] }],
                },
                {
                    "name": "plain", "type": "release", "enabled": false, "project": "default", "stale": false,
                    "strategies": [], "variants": [], "description": null, "impressionData": false,
                },
            ],
            "query": { "project": ["default"], "environment": "development", "inlineSegmentConstraints": true },
        })
    );
}

#[actix_web::test]
async fn disabled_strategies_are_left_out_and_a_flag_with_no_other_is_off() {
    let server = TestServer::new();
    let disabled = || ActivationStrategy {
        disabled: true,
        ..ActivationStrategy::new("d", "default")
    };
    put_flag(&server, "both", |flag| {
        on(flag, vec![disabled(), ActivationStrategy::new("e", "default")])
    });
    put_flag(&server, "none", |flag| on(flag, Vec::new()));
    put_flag(&server, "only-disabled", |flag| on(flag, vec![disabled()]));
    let flags = features(&server, FEATURES).await;
    let read = |flag: &Value| {
        (
            flag["enabled"].as_bool().unwrap(),
            flag["strategies"].as_array().unwrap().len(),
        )
    };
    assert_eq!(
        flags.iter().map(read).collect::<Vec<_>>(),
        [(true, 1), (true, 0), (false, 0)]
    );
}

#[actix_web::test]
async fn archived_flags_are_gone_and_other_environments_are_apart() {
    let server = TestServer::new();
    put_flag(&server, "archived", |flag| {
        flag.archived_at = Some(crate::support::START)
    });
    put_flag(&server, "in-production", |flag| {
        let settings = FlagSettings {
            enabled: true,
            ..FlagSettings::default()
        };
        flag.environments
            .insert(EnvironmentName::from("production"), Arc::new(settings));
    });
    let flags = features(&server, FEATURES).await;
    assert_eq!((flags.len(), &flags[0]["enabled"]), (1, &json!(false)));
    let production = server
        .call(PRODUCTION_CLIENT, Method::GET, FEATURES, None)
        .await
        .ok();
    assert_eq!(
        (
            &production["features"][0]["enabled"],
            &production["query"]["environment"]
        ),
        (&json!(true), &json!("production"))
    );
}

#[actix_web::test]
async fn sdks_that_know_segments_get_them_listed_and_others_inlined() {
    let server = TestServer::new();
    put_segment(&server, 7, "country", &["no"]);
    put_segment(&server, 8, "plan", &["pro"]);
    put_flag(&server, "x", |flag| {
        let mut strategy = for_values("userId", &["a"]);
        strategy.segments = vec![SegmentId(7)];
        on(flag, vec![strategy]);
    });
    let user = json!({ "contextName": "userId", "operator": "IN", "values": ["a"] });
    let country = json!({ "contextName": "country", "operator": "IN", "values": ["no"] });
    for version in ["4.1.9", "4.2.0-beta.1", "0.0.1"] {
        let body = get(&server, FEATURES, &[("unleash-client-spec", version)])
            .await
            .ok();
        assert_eq!(
            body["features"][0]["strategies"][0]["constraints"],
            json!([user, country]),
            "{version}"
        );
        assert!(
            body.get("segments").is_none() && body["features"][0]["strategies"][0].get("segments").is_none()
        );
    }
    for version in ["4.2.0", "5.1.9", "10.0.0", " 4.3.0 "] {
        let body = get(&server, FEATURES, &[("unleash-client-spec", version)])
            .await
            .ok();
        let strategy = &body["features"][0]["strategies"][0];
        assert_eq!(
            (&strategy["constraints"], &strategy["segments"]),
            (&json!([user]), &json!([7])),
            "{version}"
        );
        assert_eq!(
            body["segments"],
            json!([{ "id": 7, "name": "segment-7", "constraints": [country] }]),
            "only what is used, for {version}"
        );
        assert_eq!(body["query"]["inlineSegmentConstraints"], false);
    }
    let broken = get(&server, FEATURES, &[("unleash-client-spec", "garbage")]).await;
    broken.refused(StatusCode::BAD_REQUEST, "BadDataError");
}

#[actix_web::test]
async fn a_client_reads_no_segments_but_those_of_the_flags_it_reads() {
    let server = TestServer::new();
    for id in 1..=4 {
        put_segment(&server, id, "country", &["no"]);
    }
    let with_segment = |name: &str, id, project: &str, disabled| {
        let project = project.to_owned();
        put_flag(&server, name, move |flag| {
            let mut strategy = for_values("userId", &["a"]);
            strategy.segments = vec![SegmentId(id)];
            strategy.disabled = disabled;
            on(flag, vec![strategy, for_values("userId", &["b"])]);
            flag.project = project.as_str().into();
        });
    };
    with_segment("own", 1, "default", false);
    with_segment("disabled", 2, "default", true);
    with_segment("foreign", 3, "elsewhere", false);
    let ids = |body: serde_json::Value| -> Vec<i64> {
        let listed = body["segments"].as_array().unwrap().iter();
        listed.map(|segment| segment["id"].as_i64().unwrap()).collect()
    };
    let spec = ("unleash-client-spec", "5.1.9");
    assert_eq!(ids(get(&server, FEATURES, &[spec]).await.ok()), [1]);
    let nothing = get(&server, &format!("{FEATURES}?namePrefix=zzz"), &[spec]).await;
    assert_eq!(ids(nothing.ok()), [0; 0]);
}

#[actix_web::test]
async fn a_segment_that_is_missing_lets_nobody_in_whether_listed_or_inlined() {
    let server = TestServer::new();
    put_flag(&server, "x", |flag| {
        let strategy = ActivationStrategy {
            segments: vec![SegmentId(9)],
            ..ActivationStrategy::new("s", "default")
        };
        on(flag, vec![strategy]);
    });
    let inlined = features(&server, FEATURES).await;
    let never = json!([{ "contextName": "appName", "operator": "IN", "values": [] }]);
    assert_eq!(inlined[0]["strategies"][0]["constraints"], never);
    let listed = get(&server, FEATURES, &[("unleash-client-spec", "5.0.0")])
        .await
        .ok();
    assert_eq!(listed["features"][0]["strategies"][0]["segments"], json!([9]));
}

#[actix_web::test]
async fn one_flag_can_be_read_by_its_encoded_name() {
    let server = TestServer::new();
    for (name, encoded) in [
        ("plain", "plain"),
        ("a/b c", "a%2Fb%20c"),
        ("constructor", "constructor"),
        ("__proto__", "__proto__"),
    ] {
        put_flag(&server, name, |_| {});
        let flag = get(&server, &format!("{FEATURES}/{encoded}"), &[]).await.ok();
        assert_eq!((&flag["name"], &flag["enabled"]), (&json!(name), &json!(false)));
    }
    assert_eq!(
        names(&server, FEATURES).await,
        ["__proto__", "a/b c", "constructor", "plain"]
    );
    let refusal = get(&server, "/api/client/features/nope", &[])
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    assert_eq!(refusal["message"], "Could not find feature flag nope");
}

#[actix_web::test]
async fn operators_are_written_by_their_names() {
    let server = TestServer::new();
    put_flag(&server, "x", |flag| {
        let mut strategy = ActivationStrategy::new("s", "default");
        for operator in Operator::KNOWN {
            let mut constraint = vexil_domain::Constraint::new("field", operator.clone());
            constraint.value = Some("1".to_owned());
            constraint.inverted = Some(true);
            constraint.case_insensitive = Some(true);
            strategy.constraints.push(constraint);
        }
        on(flag, vec![strategy]);
    });
    let flags = features(&server, FEATURES).await;
    let constraints = flags[0]["strategies"][0]["constraints"].as_array().unwrap();
    let written: Vec<&str> = constraints
        .iter()
        .map(|constraint| constraint["operator"].as_str().unwrap())
        .collect();
    assert_eq!(
        written,
        Operator::KNOWN.iter().map(Operator::name).collect::<Vec<_>>()
    );
    let first = json!({
        "contextName": "field", "operator": "IN", "values": [], "value": "1", "inverted": true, "caseInsensitive": true,
    });
    assert_eq!(constraints[0], first);
}
