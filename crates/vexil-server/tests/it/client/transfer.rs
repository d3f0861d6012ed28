//! What spares an SDK the transfer: entity tags and compression.

use super::*;

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
        // caches keep what the later answer says
        assert_eq!(answer.header("vary"), Some("Accept-Encoding"), "{known}");
    }
    for path in [
        "/api/client/delta",
        "/api/client/features/x",
        "/api/admin/client-metrics/features/x",
    ] {
        let token = if path.contains("admin") { ADMIN } else { CLIENT };
        let ask = async |known: &str| {
            let headers = [("authorization", token), ("if-none-match", known)];
            server.send(Method::GET, path, &headers, "").await
        };
        let tag = ask("").await.header("etag").unwrap().to_owned();
        let again = ask(&tag).await;
        assert_eq!(
            (again.status, again.header("vary")),
            (304, Some("Accept-Encoding")),
            "{path}"
        );
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
    assert_eq!(tag().await, second, "no flag uses the segment");
    put_flag(&server, "x", |flag| {
        let mut strategy = for_values("userId", &["c"]);
        strategy.segments = vec![SegmentId(1)];
        on(flag, vec![strategy]);
    });
    let third = tag().await;
    assert_ne!(third, second);
    put_segment(&server, 1, "userId", &["b"]);
    assert_ne!(tag().await, third);
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
    let whole = plain.header("etag").unwrap().trim_matches('"').to_owned();
    for (accepted, coding) in [
        ("gzip", "gzip"),
        ("deflate, GZIP;q=0.5", "gzip"),
        ("br", "br"),
        ("gzip;q=1, deflate, br", "br"),
        ("gzip, deflate, br, zstd", "br"),
        ("zstd", "zstd"),
        ("gzip, zstd;q=0.3", "zstd"),
    ] {
        let answer = get(&server, FEATURES, &[("accept-encoding", accepted)]).await;
        assert_eq!(answer.header("content-encoding"), Some(coding), "{accepted}");
        let mut text = String::new();
        let mut bytes = answer.bytes.as_slice();
        let read = match coding {
            "br" => brotli_decompressor::Decompressor::new(bytes, 4096).read_to_string(&mut text),
            "zstd" => zstd::stream::read::Decoder::with_buffer(bytes)
                .unwrap()
                .read_to_string(&mut text),
            _ => flate2::read::GzDecoder::new(&mut bytes).read_to_string(&mut text),
        };
        read.unwrap();
        assert_eq!(text, plain.text);
        assert_eq!(
            answer.header("etag"),
            Some(format!("\"{whole}-{coding}\"").as_str())
        );
        // other bytes have another tag, by which they are known again
        for path in [FEATURES, "/api/client/delta"] {
            let answer = get(&server, path, &[("accept-encoding", accepted)]).await;
            let tag = answer.header("etag").unwrap();
            assert!(tag.ends_with(&format!("-{coding}\"")), "{path}: {tag}");
            let known = [("accept-encoding", accepted), ("if-none-match", tag)];
            assert_eq!(get(&server, path, &known).await.status, 304, "{path} {accepted}");
        }
    }
    for refused in ["identity", "gzip;q=0", "br;q=0", "zstd;q=0", "xgzip"] {
        let answer = get(&server, FEATURES, &[("accept-encoding", refused)]).await;
        assert_eq!(
            (answer.header("content-encoding"), &answer.text),
            (None, &plain.text),
            "{refused}"
        );
    }
}
