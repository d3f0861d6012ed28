//! What Edge gets no tokens for.

use super::*;

#[actix_web::test]
async fn what_is_not_signed_as_edge_signs_it_is_refused_and_makes_nothing() {
    let server = server();
    let body = asking("development", &["*"]);
    let good = Signed::new("n", &body);
    let sent = good.sign();
    let signature = sent
        .header("authorization")
        .rsplit_once(':')
        .unwrap()
        .1
        .to_owned();
    let earlier = Signed {
        time: "2026-11-27T12:29:59Z".to_owned(),
        ..good.clone()
    };
    let mut shortened = sent.clone();
    shortened.body.truncate(20);
    let cases: Vec<(&str, Sent)> = vec![
        ("is not signed", sent.without("authorization")),
        ("is not signed", sent.with("authorization", ADMIN)),
        (
            "is not signed",
            sent.with("authorization", &format!("Basic edge:{signature}")),
        ),
        (
            "`Authorization`",
            sent.with("authorization", &format!("HMAC {signature}")),
        ),
        ("`Authorization`", sent.with("authorization", "HMAC edge:!=")),
        ("does not fit", sent.with("authorization", "HMAC edge:")),
        (
            "does not fit",
            sent.with("authorization", &format!("HMAC edge:{}", &signature[..40])),
        ),
        (
            "does not fit",
            sent.with("authorization", &format!("HMAC second:{signature}")),
        ),
        (
            "does not fit",
            sent.with("authorization", &format!("HMAC nobody:{signature}")),
        ),
        (
            "does not fit",
            Signed {
                client: "nobody",
                key: "AAAA",
                ..good.clone()
            }
            .sign(),
        ),
        (
            "does not fit",
            Signed {
                key: OTHER,
                ..good.clone()
            }
            .sign(),
        ),
        (
            "does not fit",
            Signed {
                path: "/edge/validate",
                ..good.clone()
            }
            .sign(),
        ),
        ("does not fit", sent.with("x-nonce", "m")),
        ("does not fit", sent.with("x-timestamp", &earlier.time)),
        (
            "does not fit",
            sent.with("x-timestamp", "2026-11-27T12:30:20+00:00"),
        ),
        ("does not fit", sent.with("content-sha256", &"0".repeat(64))),
        ("`x-nonce`", sent.without("x-nonce")),
        (
            "`x-nonce`",
            Signed {
                nonce: String::new(),
                ..good.clone()
            }
            .sign(),
        ),
        (
            "`x-nonce`",
            Signed {
                nonce: "n".repeat(129),
                ..good.clone()
            }
            .sign(),
        ),
        ("`x-timestamp`", sent.without("x-timestamp")),
        (
            "`x-timestamp`",
            Signed {
                time: "yesterday".to_owned(),
                ..good.clone()
            }
            .sign(),
        ),
        ("`content-sha256`", sent.without("content-sha256")),
        ("`content-sha256`", sent.with("content-sha256", "0a")),
        (
            "five minutes",
            good.clone().at(START - Duration::seconds(301)).sign(),
        ),
        (
            "five minutes",
            good.clone().at(START + Duration::seconds(301)).sign(),
        ),
        ("not the one that was signed", shortened),
        (
            "not the one that was signed",
            Sent {
                body: asking("production", &["*"]).to_string().into(),
                ..sent.clone()
            },
        ),
    ];
    for (words, sent) in &cases {
        let answer = sent.to(&server).await;
        refused(&answer, StatusCode::UNAUTHORIZED, "UnauthorizedError", words);
        let text = answer.text;
        assert!(!text.contains(SECRET) && !text.contains(&signature), "{text}");
    }
    assert_eq!(tokens(&server).await.len(), 0);
    // none of which has used the nonce up
    sent.to(&server).await.ok();
    // nor is any client known where none is named
    let none = TestServer::new();
    refused(
        &sent.to(&none).await,
        StatusCode::UNAUTHORIZED,
        "UnauthorizedError",
        "does not fit",
    );
}

#[actix_web::test]
async fn a_signed_request_is_answered_once_and_for_five_minutes() {
    let server = server();
    let body = asking("development", &["*"]);
    let early = Signed::new("a", &body).at(START + Duration::seconds(300)).sign();
    early.to(&server).await.ok();
    let late = Signed::new("b", &body).at(START - Duration::seconds(300)).sign();
    late.to(&server).await.ok();
    for (sent, minutes, words) in [
        (&early, 0, "received before"),
        (&late, 0, "received before"),
        (&early, 10, "received before"),
        (&late, 1, "five minutes"),
        (&early, 11, "five minutes"),
    ] {
        server.set_time(START + Duration::minutes(minutes));
        refused(
            &sent.to(&server).await,
            StatusCode::UNAUTHORIZED,
            "UnauthorizedError",
            words,
        );
    }
    // a nonce is one of the client that has used it
    server.set_time(START);
    let second = Signed {
        client: "second",
        key: OTHER,
        ..Signed::new("a", &body)
    };
    second.sign().to(&server).await.ok();
}

#[actix_web::test]
async fn what_cannot_be_made_is_told_and_nothing_is_made() {
    let server = server();
    let cases = [
        (asking("nowhere", &["*"]), "Environment=nowhere does not exist"),
        (asking("*", &["*"]), "one environment"),
        (
            asking("development", &["nothing"]),
            "Project=nothing does not exist",
        ),
        (asking("development", &[]), "/body/tokens/0/projects"),
        (asking("", &["*"]), "/body/tokens/0/environment"),
        (
            json!({ "tokens": [{ "environment": "development" }] }),
            "/body/tokens/0/projects",
        ),
        (
            json!({ "tokens": [{ "projects": ["*"] }] }),
            "/body/tokens/0/environment",
        ),
        (
            json!({ "tokens": [7, { "environment": 7, "projects": [{}] }] }),
            "/body/tokens/1/projects/0",
        ),
        (json!({}), "/body/tokens"),
        (json!([]), "/body"),
        (
            json!({ "tokens": [
                { "environment": "development", "projects": ["*"] },
                { "environment": "nowhere", "projects": ["*"] },
            ] }),
            "Environment=nowhere",
        ),
    ];
    for (index, (body, words)) in cases.iter().enumerate() {
        let answer = Signed::new(&index.to_string(), body).sign().to(&server).await;
        refused(&answer, StatusCode::BAD_REQUEST, "BadDataError", words);
    }
    for (index, body) in ["{", "", "\u{0}", "null", "[[[[[[[["].into_iter().enumerate() {
        let signed = Signed {
            body: body.into(),
            ..Signed::new(&format!("no json {index}"), &Value::Null)
        };
        refused(
            &signed.sign().to(&server).await,
            StatusCode::BAD_REQUEST,
            "BadDataError",
            "body",
        );
    }
    assert_eq!(tokens(&server).await.len(), 0);
    assert_eq!(issued(&server, "none", &json!({ "tokens": [] })).await.len(), 0);
    let large = Signed {
        body: vec![b' '; (1 << 20) + 1],
        ..Signed::new("large", &Value::Null)
    };
    let answer = large.sign().to(&server).await;
    answer.refused(StatusCode::PAYLOAD_TOO_LARGE, "PayloadTooLargeError");
    // nothing is read of whoever cannot sign
    let stranger = large.sign().with("authorization", "HMAC edge:AAAA");
    refused(
        &stranger.to(&server).await,
        StatusCode::UNAUTHORIZED,
        "UnauthorizedError",
        "does not fit",
    );
    let form = Signed::new("form", &asking("development", &["*"]))
        .sign()
        .with("content-type", "text/plain");
    form.to(&server)
        .await
        .refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "ContentTypeError");
}
