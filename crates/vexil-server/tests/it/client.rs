//! `GET /api/client/features`: what SDKs on servers read.

use std::io::Read;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use std::sync::Arc;
use vexil_domain::{
    ActivationStrategy, Dependency, EnvironmentName, FlagSettings, Operator, Payload, SegmentId, Stickiness,
    Variant, WeightType,
};

use crate::flags::{edit, for_values, on, put_flag, put_segment};
use crate::support::{ADMIN, Answer, CLIENT, FRONTEND, PRODUCTION_CLIENT, TestServer};

const FEATURES: &str = "/api/client/features";

async fn get(server: &TestServer, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut all = vec![("authorization", CLIENT)];
    all.extend(headers);
    server.send(Method::GET, path, &all, "").await
}

async fn features(server: &TestServer, path: &str) -> Vec<Value> {
    get(server, path, &[]).await.ok()["features"]
        .as_array()
        .unwrap()
        .clone()
}

async fn names(server: &TestServer, path: &str) -> Vec<String> {
    features(server, path)
        .await
        .iter()
        .map(|flag| flag["name"].as_str().unwrap().to_owned())
        .collect()
}

fn variant(name: &str) -> Variant {
    Variant {
        name: name.to_owned(),
        weight: 1000,
        weight_type: WeightType::Variable,
        stickiness: Some(Stickiness::Default),
        payload: Some(Payload {
            kind: "string".to_owned(),
            value: "x".to_owned(),
        }),
        overrides: Vec::new(),
    }
}

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
async fn a_token_sees_the_flags_of_its_projects() {
    let server = TestServer::new();
    put_flag(&server, "mine", |_| {});
    put_flag(&server, "theirs", |flag| flag.project = "other".into());
    for query in [
        "",
        "?project=other",
        "?project=default&project=other",
        "?environment=production",
    ] {
        assert_eq!(
            names(&server, &format!("{FEATURES}{query}")).await,
            ["mine"],
            "{query}"
        );
    }
    assert_eq!(get(&server, "/api/client/features/theirs", &[]).await.status, 404);
}

#[actix_web::test]
async fn a_token_for_all_projects_may_ask_for_some() {
    let server = TestServer::new();
    put_flag(&server, "mine", |_| {});
    put_flag(&server, "theirs", |flag| flag.project = "other".into());
    let token = server.add_client_token("*:development.all");
    let ask = |query: &'static str| {
        let server = server.clone();
        let token = token.clone();
        async move {
            let body = server
                .call(&token, Method::GET, &format!("{FEATURES}{query}"), None)
                .await
                .ok();
            let names: Vec<String> = body["features"]
                .as_array()
                .unwrap()
                .iter()
                .map(|flag| flag["name"].as_str().unwrap().to_owned())
                .collect();
            (names.join(" "), body["query"]["project"].clone())
        }
    };
    assert_eq!(ask("").await, ("mine theirs".to_owned(), Value::Null));
    assert_eq!(
        ask("?project=other").await,
        ("theirs".to_owned(), json!(["other"]))
    );
    assert_eq!(ask("?project=other&project=default").await.0, "mine theirs");
    assert_eq!(ask("?project=nope").await.0, "");
}

#[actix_web::test]
async fn a_name_prefix_selects_flags() {
    let server = TestServer::new();
    for name in ["a.one", "a.two", "b.one"] {
        put_flag(&server, name, |_| {});
    }
    assert_eq!(
        names(&server, "/api/client/features?namePrefix=a.").await,
        ["a.one", "a.two"]
    );
    let body = get(&server, "/api/client/features?namePrefix=a.&tag=simple:x", &[])
        .await
        .ok();
    assert_eq!(body["query"]["namePrefix"], "a.");
    for query in ["namePrefix=", "namePrefix=a&namePrefix=b"] {
        let answer = get(&server, &format!("{FEATURES}?{query}"), &[]).await;
        answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
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
            body["segments"][0],
            json!({ "id": 7, "name": "segment-7", "constraints": [country] })
        );
        assert_eq!(body["segments"].as_array().unwrap().len(), 2);
        assert_eq!(body["query"]["inlineSegmentConstraints"], false);
    }
    let broken = get(&server, FEATURES, &[("unleash-client-spec", "garbage")]).await;
    broken.refused(StatusCode::BAD_REQUEST, "BadDataError");
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
async fn a_client_that_has_the_current_answer_is_told_so() {
    let server = TestServer::new();
    put_flag(&server, "x", |_| {});
    let tag = get(&server, FEATURES, &[])
        .await
        .header("etag")
        .unwrap()
        .to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"'), "{tag}");
    let bare = tag.trim_matches('"');
    let cases = [
        (tag.clone(), 304),
        (format!("W/{tag}"), 304),
        (format!("\"other\", {tag}"), 304),
        (format!("\"other\",W/{tag} , \"more\""), 304),
        ("*".to_owned(), 304),
        (bare.to_owned(), 200),
        ("\"other\"".to_owned(), 200),
        (String::new(), 200),
        (format!("\"x{bare}\""), 200),
    ];
    for (known, status) in cases {
        let answer = get(&server, FEATURES, &[("if-none-match", &known)]).await;
        assert_eq!(answer.status, status, "{known}");
        assert_eq!(answer.text.is_empty(), status == 304);
        assert_eq!(answer.header("etag"), Some(tag.as_str()));
    }
}

#[actix_web::test]
async fn the_tag_changes_with_the_environment_and_only_then() {
    let server = TestServer::new();
    put_flag(&server, "x", |_| {});
    let tag = || async {
        get(&server, FEATURES, &[])
            .await
            .header("etag")
            .unwrap()
            .to_owned()
    };
    let first = tag().await;
    let report =
        json!({ "appName": "a", "bucket": { "start": 1, "stop": 1, "toggles": { "x": { "yes": 1 } } } });
    server
        .call(CLIENT, Method::POST, "/api/client/metrics", Some(&report))
        .await;
    put_flag(&server, "x", |flag| {
        let settings = FlagSettings {
            enabled: true,
            ..FlagSettings::default()
        };
        flag.environments
            .insert(EnvironmentName::from("production"), Arc::new(settings));
    });
    assert_eq!(tag().await, first, "production is another environment");
    put_flag(&server, "x", |flag| on(flag, Vec::new()));
    let second = tag().await;
    assert_ne!(second, first);
    assert!(features(&server, FEATURES).await[0]["enabled"].as_bool().unwrap());
    put_segment(&server, 1, "userId", &["a"]);
    assert_ne!(tag().await, second);
}

#[actix_web::test]
async fn different_questions_have_different_tags() {
    let server = TestServer::new();
    let all = server.add_client_token("*:development.all");
    let mut tags = Vec::new();
    for (token, query, version) in [
        (CLIENT, "", "4.1.0"),
        (CLIENT, "", "5.0.0"),
        (CLIENT, "?namePrefix=a", "5.0.0"),
        (CLIENT, "?namePrefix=b", "5.0.0"),
        (PRODUCTION_CLIENT, "", "5.0.0"),
        (all.as_str(), "", "5.0.0"),
        (all.as_str(), "?project=other", "5.0.0"),
    ] {
        let headers = [("authorization", token), ("unleash-client-spec", version)];
        let answer = server
            .send(Method::GET, &format!("{FEATURES}{query}"), &headers, "")
            .await;
        tags.push(answer.header("etag").unwrap().to_owned());
    }
    let count = tags.len();
    tags.sort_unstable();
    tags.dedup();
    assert_eq!(tags.len(), count, "{tags:?}");
}

#[actix_web::test]
async fn the_answer_is_compressed_for_those_who_take_it() {
    let server = TestServer::new();
    put_flag(&server, "x", |_| {});
    let plain = get(&server, FEATURES, &[]).await;
    assert_eq!(
        (plain.header("content-encoding"), plain.header("vary")),
        (None, Some("Accept-Encoding"))
    );
    for accepted in ["gzip", "deflate, GZIP;q=0.5, br", "gzip;q=1"] {
        let answer = get(&server, FEATURES, &[("accept-encoding", accepted)]).await;
        assert_eq!(answer.header("content-encoding"), Some("gzip"), "{accepted}");
        let mut text = String::new();
        flate2::read::GzDecoder::new(answer.bytes.as_slice())
            .read_to_string(&mut text)
            .unwrap();
        assert_eq!(text, plain.text);
        assert_eq!(answer.header("etag"), plain.header("etag"));
    }
    for refused in ["identity", "gzip;q=0", "br", "xgzip"] {
        let answer = get(&server, FEATURES, &[("accept-encoding", refused)]).await;
        assert_eq!(
            (answer.header("content-encoding"), &answer.text),
            (None, &plain.text),
            "{refused}"
        );
    }
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
async fn only_client_tokens_may_read_flags() {
    let server = TestServer::new();
    for path in [FEATURES, "/api/client/features/x"] {
        server
            .send(Method::GET, path, &[], "")
            .await
            .refused(StatusCode::UNAUTHORIZED, "UnauthorizedError");
        server
            .call("nope", Method::GET, path, None)
            .await
            .refused(StatusCode::UNAUTHORIZED, "UnauthorizedError");
        for token in [ADMIN, FRONTEND] {
            server
                .call(token, Method::GET, path, None)
                .await
                .refused(StatusCode::FORBIDDEN, "PermissionError");
        }
        for token in [format!("Bearer {CLIENT}"), format!(" {CLIENT} ")] {
            assert_ne!(server.call(&token, Method::GET, path, None).await.status, 401);
        }
    }
    server
        .call(CLIENT, Method::POST, FEATURES, None)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    assert_eq!(
        server.call(CLIENT, Method::HEAD, FEATURES, None).await.status,
        200
    );
    assert_eq!(
        server
            .call(CLIENT, Method::GET, "/api/client/features/", None)
            .await
            .status,
        200
    );
}

#[actix_web::test]
async fn an_environment_that_is_gone_is_said_to_be_gone() {
    let server = TestServer::new();
    edit(&server, |draft| {
        drop(draft.snapshot.environments.remove("development"))
    });
    get(&server, FEATURES, &[])
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
}

#[actix_web::test]
async fn a_proxy_learns_which_tokens_are_known() {
    let server = TestServer::new();
    let ask = |body: Value| {
        let server = server.clone();
        async move {
            server
                .send(
                    Method::POST,
                    "/edge/validate",
                    &[("content-type", "application/json")],
                    body.to_string(),
                )
                .await
        }
    };
    let upper = CLIENT.to_uppercase();
    let body = ask(json!({ "tokens": [CLIENT, FRONTEND, ADMIN, "nope", "", upper] }))
        .await
        .ok();
    assert_eq!(
        body,
        json!({ "tokens": [
            { "token": CLIENT, "type": "client", "projects": ["default"], "environment": "development" },
            { "token": FRONTEND, "type": "frontend", "projects": ["default"], "environment": "development" },
            { "token": ADMIN, "type": "admin", "projects": ["*"], "environment": "*" },
        ] })
    );
    assert_eq!(ask(json!({ "tokens": [] })).await.ok(), json!({ "tokens": [] }));
    for (wrong, path) in [
        (json!({}), "/body/tokens"),
        (json!({ "tokens": "x" }), "/body/tokens"),
        (json!({ "tokens": [{}] }), "/body/tokens/0"),
    ] {
        let refusal = ask(wrong).await.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(refusal["details"][0]["path"], path);
    }
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
