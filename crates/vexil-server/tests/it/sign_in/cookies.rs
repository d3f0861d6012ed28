//! The answer to a sign-in, and the cookie in it.

use actix_web::http::{Method, StatusCode};
use serde_json::json;
use time::Duration;
use vexil_service::TrustedProxies;
use vexil_service::sign_in::SignInOptions;

use super::{LOGIN, PASSWORD, account, browser, signed_in, try_to_sign_in};
use crate::support::{ADMIN, START, TestServer, places};

#[actix_web::test]
async fn a_name_or_an_email_address_with_the_password_signs_in() {
    let server = TestServer::new();
    let id = account(&server, "ada", "Editor").await;
    for login in ["ada", "ADA", "ada@example.com", " Ada@Example.com "] {
        let answer = try_to_sign_in(&server, login, PASSWORD).await;
        let user = answer.ok();
        assert_eq!(
            (&user["id"], &user["rootRole"]),
            (&json!(id), &json!(2)),
            "{login}"
        );
        let me = browser(&server, &answer).get("/api/admin/user").await.ok();
        assert_eq!(me["user"]["username"], "ada");
    }
    let user = try_to_sign_in(&server, "ada", PASSWORD).await.ok();
    assert_eq!(
        (&user["activeSessions"], &user["deletedSessions"]),
        (&json!(5), &json!(0))
    );
}

#[actix_web::test]
async fn a_wrong_password_and_an_unknown_name_give_the_same_answer() {
    let server = TestServer::new();
    account(&server, "ada", "Editor").await;
    let body = json!({ "username": "links", "email": "links@example.com", "rootRole": 3 });
    server.post("/api/admin/user-admin", body).await.ok();
    let mut answers = Vec::new();
    for (name, password) in [
        ("ada", "Xy7!pqRstuvw8"),
        ("nobody", PASSWORD),
        ("links", ""),
        ("", PASSWORD),
    ] {
        let answer = try_to_sign_in(&server, name, password).await;
        let mut body = answer.refused(StatusCode::UNAUTHORIZED, "PasswordMismatch");
        body["id"] = json!(null);
        assert_eq!(answer.header("set-cookie"), None);
        answers.push(body);
    }
    assert!(answers.iter().all(|body| *body == answers[0]), "{answers:?}");
}

#[actix_web::test]
async fn a_sign_in_that_is_malformed_says_what_is_missing() {
    let server = TestServer::new();
    for (body, paths) in [
        (json!({}), vec!["/body/username", "/body/password"]),
        (json!({ "username": "ada" }), vec!["/body/password"]),
        (
            json!({ "username": [], "password": {} }),
            vec!["/body/username", "/body/password"],
        ),
        (json!({ "token": "" }), vec!["/body/token"]),
    ] {
        let headers = [("content-type", "application/json")];
        let answer = server.send(Method::POST, LOGIN, &headers, body.to_string()).await;
        let refused = answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
        assert_eq!(places(&refused), paths, "{body}");
    }
}

/// The name and the attributes of the cookie that signs in, without its value.
async fn cookie(options: SignInOptions, headers: &[(&str, &str)]) -> (String, Vec<String>) {
    let server = TestServer::new();
    let app = server.app().clone().with_sign_in(options);
    let server = server.with_app(app);
    account(&server, "ada", "Viewer").await;
    let mut all = vec![("content-type", "application/json")];
    all.extend(headers);
    let body = json!({ "username": "ada", "password": PASSWORD }).to_string();
    let answer = server.send(Method::POST, LOGIN, &all, body).await;
    answer.ok();
    let set = answer.header("set-cookie").unwrap().to_owned();
    let mut parts = set.split("; ").map(str::to_owned);
    let (name, value) = parts
        .next()
        .unwrap()
        .split_once('=')
        .map(|(n, v)| (n.to_owned(), v.to_owned()))
        .unwrap();
    assert_eq!(value.len(), 64, "256 bits as hexadecimal digits");
    let mut attributes: Vec<String> = parts.collect();
    attributes.sort();
    (name, attributes)
}

#[actix_web::test]
async fn the_cookie_is_for_this_server_alone_and_for_no_script() {
    let week = "Max-Age=604800".to_owned();
    let attributes = |more: &[&str]| {
        let mut all: Vec<String> = more.iter().map(|one| (*one).to_owned()).collect();
        all.extend(["HttpOnly".to_owned(), week.clone(), "SameSite=Lax".to_owned()]);
        all.sort();
        all
    };
    let plain = SignInOptions::default();
    let below = SignInOptions::below("/flags");
    let mut proxied = SignInOptions::default();
    proxied.proxies.trusted = Some(TrustedProxies::Count(1));
    let https = [("x-forwarded-proto", "https")];
    let secure = plain
        .clone()
        .with_public_url("https://flags.example.com")
        .unwrap();
    let secure_below = below
        .clone()
        .with_public_url("https://example.com/flags")
        .unwrap();
    let table = [
        (plain.clone(), &[][..], "vexil", attributes(&["Path=/"])),
        // nobody is believed who is not trusted
        (plain, &https[..], "vexil", attributes(&["Path=/"])),
        (below, &[], "vexil", attributes(&["Path=/flags"])),
        (secure, &[], "__Host-vexil", attributes(&["Path=/", "Secure"])),
        (
            secure_below,
            &[],
            "__Secure-vexil",
            attributes(&["Path=/flags", "Secure"]),
        ),
        (
            proxied.clone(),
            &https,
            "__Host-vexil",
            attributes(&["Path=/", "Secure"]),
        ),
        (proxied, &[], "vexil", attributes(&["Path=/"])),
    ];
    for (options, headers, name, attributes) in table {
        assert_eq!(cookie(options, headers).await, (name.to_owned(), attributes));
    }
}

#[actix_web::test]
async fn over_tls_a_cookie_that_anybody_could_have_set_does_not_count() {
    let server = TestServer::new();
    account(&server, "ada", "Viewer").await;
    let browser = signed_in(&server, "ada").await;
    assert!(browser.is_signed_in().await);
    let options = SignInOptions::default()
        .with_public_url("https://flags.example.com")
        .unwrap();
    let mut secure = browser.clone();
    let app = server.app().clone().with_sign_in(options);
    secure.server = secure.server.with_app(app);
    assert!(!secure.is_signed_in().await);
    secure.cookie = format!("__Host-{}", browser.cookie);
    assert!(secure.is_signed_in().await);
}

#[actix_web::test]
async fn a_session_ends_after_twelve_hours_without_use_and_after_a_week_in_any_case() {
    let server = TestServer::new();
    account(&server, "ada", "Viewer").await;
    let used = signed_in(&server, "ada").await;
    let unused = signed_in(&server, "ada").await;
    let idle = Duration::hours(12);
    let mut now = START;
    while now + Duration::hours(11) < START + Duration::days(7) {
        now += Duration::hours(11);
        server.set_time(now);
        assert!(used.is_signed_in().await, "{now}");
    }
    server.set_time(START + Duration::days(7));
    assert!(!used.is_signed_in().await);
    server.set_time(START + idle - Duration::SECOND);
    let again = signed_in(&server, "ada").await;
    assert!(unused.is_signed_in().await);
    server.set_time(START + idle + idle);
    assert!(!again.is_signed_in().await);
}

#[actix_web::test]
async fn a_session_outlives_the_process_and_counts_on_every_node() {
    let server = TestServer::new();
    account(&server, "ada", "Viewer").await;
    let browser = signed_in(&server, "ada").await;
    let other = server.another();
    let mut elsewhere = browser.clone();
    elsewhere.server = other.clone();
    assert!(elsewhere.is_signed_in().await);
    browser.call(Method::POST, "/logout", None).await;
    assert!(!browser.is_signed_in().await);
    // what another node has ended is believed for a second at most
    server.set_time(START + Duration::SECOND);
    assert!(!elsewhere.is_signed_in().await);
}

#[actix_web::test]
async fn a_token_in_the_header_is_judged_alone() {
    let server = TestServer::new();
    account(&server, "ada", "Viewer").await;
    let browser = signed_in(&server, "ada").await;
    let both = async |token: &str| {
        let headers = [("authorization", token)];
        browser.send(Method::GET, "/api/admin/user", &headers, "").await
    };
    assert_eq!(both("nonsense").await.status, 401);
    assert_eq!(both("").await.status, 401);
    let me = both(ADMIN).await.ok();
    assert_eq!(me["user"]["isAPI"], true);
}

#[actix_web::test]
async fn a_cookie_that_is_no_secret_is_nobody() {
    let server = TestServer::new();
    account(&server, "ada", "Viewer").await;
    let browser = signed_in(&server, "ada").await;
    let (name, secret) = browser.cookie.split_once('=').unwrap();
    let wrong = [
        format!("{name}="),
        format!("{name}={}", &secret[1..]),
        format!("{name}={}", "0".repeat(64)),
        format!("{name}={secret}0"),
        format!("{name}='{secret}'"),
        format!("other={secret}"),
    ];
    for cookie in wrong {
        let mut other = browser.clone();
        other.cookie = cookie;
        assert!(!other.is_signed_in().await, "{}", other.cookie);
    }
}
