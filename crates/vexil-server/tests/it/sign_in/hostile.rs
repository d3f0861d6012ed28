//! Cookies, headers and tokens as an attacker would have them.

use actix_web::http::{Method, StatusCode};
use serde_json::json;

use super::{JSON, LOGIN, PASSWORD, SAME_ORIGIN, account, browser, signed_in};
use crate::support::{ADMIN, TestServer};
use crate::users::person;

const FLAGS: &str = "/api/admin/projects/default/features";

/// What a request with these cookies is answered.
async fn with_cookies(server: &TestServer, cookies: &[&str]) -> u16 {
    let headers: Vec<(&str, &str)> = cookies.iter().map(|cookie| ("cookie", *cookie)).collect();
    let answer = server.send(Method::GET, "/api/admin/user", &headers, "").await;
    answer.status
}

#[actix_web::test]
async fn a_cookie_counts_under_its_own_name_and_of_several_the_first_that_is_of_a_session() {
    let server = TestServer::new();
    account(&server, "ada", "Viewer").await;
    let ada = signed_in(&server, "ada").await.cookie;
    let other = format!("vexil={}", "0".repeat(64));
    let in_capitals = ada.replacen("vexil", "VEXIL", 1);
    let as_secure = format!("__Host-{ada}");
    let padded = format!("a=b;  {ada} ; c=d");
    // browsers send the cookie of the longest path first
    let first = format!("{ada}; {other}");
    let second = format!("{other}; {ada}");
    let seven = [other.as_str(); 7].join("; ");
    for (cookies, wanted) in [
        (vec![ada.as_str()], 200),
        (vec![padded.as_str()], 200),
        (vec!["a=b", ada.as_str()], 200),
        (vec![first.as_str()], 200),
        (vec![second.as_str()], 200),
        (vec![other.as_str(), ada.as_str()], 200),
        (vec!["vexil=; vexil=no secret", seven.as_str(), ada.as_str()], 200),
        (vec![seven.as_str(), other.as_str(), ada.as_str()], 401),
        (vec![in_capitals.as_str()], 401),
        (vec![as_secure.as_str()], 401),
        (vec![";;;=;", "\"", "vexil"], 401),
    ] {
        assert_eq!(with_cookies(&server, &cookies).await, wanted, "{cookies:?}");
    }
}

/// Whoever plants a cookie in somebody's browser is not signed in with them.
#[actix_web::test]
async fn signing_in_always_begins_a_session_of_its_own() {
    let server = TestServer::new();
    account(&server, "ada", "Viewer").await;
    account(&server, "mallory", "Viewer").await;
    let mallory = signed_in(&server, "mallory").await;
    let made_up = format!("vexil={}", "a".repeat(64));
    let body = json!({ "username": "ada", "password": PASSWORD }).to_string();
    for planted in [&mallory.cookie, &made_up] {
        let headers = [JSON, SAME_ORIGIN, ("cookie", planted.as_str())];
        let answer = server.send(Method::POST, LOGIN, &headers, body.clone()).await;
        let ada = browser(&server, &answer);
        assert_ne!(&ada.cookie, planted);
        let who = ada.get("/api/admin/user").await.ok();
        assert_eq!(who["user"]["username"], "ada");
    }
    // the session that was planted has ended with that
    assert!(!mallory.is_signed_in().await);
    assert_eq!(with_cookies(&server, &[&made_up]).await, 401);
}

/// A request that may come from anywhere stays one that reads, whatever it says of another method.
#[actix_web::test]
async fn no_header_and_no_parameter_makes_another_method_of_a_request() {
    let server = TestServer::new();
    account(&server, "ada", "Admin").await;
    let ada = signed_in(&server, "ada").await;
    server.post(FLAGS, json!({ "name": "checkout" })).await.ok();
    let flag = format!("{FLAGS}/checkout");
    for name in ["x-http-method-override", "x-http-method", "x-method-override"] {
        let headers = [("sec-fetch-site", "cross-site"), (name, "DELETE")];
        ada.send(Method::GET, &flag, &headers, "").await.ok();
    }
    let asked = format!("{flag}?_method=DELETE");
    ada.send(Method::GET, &asked, &[("sec-fetch-site", "cross-site")], "")
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    assert_eq!(server.get(&flag).await.ok()["archived"], false);
}

/// What it is told of the host that it was asked for makes no other site the server's own.
#[actix_web::test]
async fn the_host_behind_a_proxy_is_the_one_that_the_proxy_leaves() {
    let server = TestServer::new();
    account(&server, "ada", "Admin").await;
    let ada = signed_in(&server, "ada").await;
    let evil = ("origin", "https://evil.example");
    for header in ["x-forwarded-host", "x-original-host", "x-host", "forwarded"] {
        let said = if header == "forwarded" {
            "host=evil.example"
        } else {
            "evil.example"
        };
        let headers = [("host", "flags.example.com"), JSON, evil, (header, said)];
        let body = json!({ "name": "forged" }).to_string();
        ada.send(Method::POST, FLAGS, &headers, body)
            .await
            .refused(StatusCode::FORBIDDEN, "PermissionError");
    }
}

/// A browser asks first before it sends JSON to another site: nothing of the administration is allowed to it.
#[actix_web::test]
async fn no_other_site_is_allowed_to_ask_the_administration() {
    let server = TestServer::new();
    account(&server, "ada", "Admin").await;
    let ada = signed_in(&server, "ada").await;
    for path in [FLAGS, "/api/admin/user", "/auth/simple/login", "/logout"] {
        for headers in [("access-control-request-headers", "content-type"), SAME_ORIGIN] {
            let all = [
                ("origin", "https://evil.example"),
                ("access-control-request-method", "POST"),
                headers,
            ];
            let answer = ada.send(Method::OPTIONS, path, &all, "").await;
            let told = answer
                .headers
                .iter()
                .any(|(name, _)| name.starts_with("access-control-"));
            // to a page of the server itself it is told what may be sent (`Allow`)
            let expected = if headers == SAME_ORIGIN { 204 } else { 403 };
            assert_eq!((told, answer.status), (false, expected), "{path}");
        }
    }
}

#[actix_web::test]
async fn whoever_was_demoted_or_left_a_group_may_less_with_every_token_and_session_at_once() {
    let server = TestServer::new();
    let ada = person(&server, "ada", "Admin").await;
    let path = format!("/api/admin/user-admin/{}", ada.id);
    let users = "/api/admin/user-admin";
    server.call(&ada.token, Method::GET, users, None).await.ok();
    server.put(&path, json!({ "rootRole": "Viewer" })).await.ok();
    server
        .call(&ada.token, Method::GET, users, None)
        .await
        .refused(StatusCode::FORBIDDEN, "PermissionError");
    // signed in as a Viewer, and then in a group of Editors
    let answer = server
        .send(
            Method::POST,
            LOGIN,
            &[JSON],
            json!({ "token": ada.token }).to_string(),
        )
        .await;
    let signed = browser(&server, &answer);
    let member = json!([{ "user": { "id": ada.id } }]);
    let team = json!({ "name": "team", "rootRole": 2, "users": member });
    let made = server.post("/api/admin/groups", team).await.ok();
    let create = async |name: &str| {
        let body = json!({ "name": name });
        let by_token = server.call(&ada.token, Method::POST, FLAGS, Some(&body)).await;
        let body = json!({ "name": format!("{name}-by-session") });
        let by_session = signed.call(Method::POST, FLAGS, Some(&body)).await;
        (by_token.status, by_session.status)
    };
    assert_eq!(create("in").await, (201, 201));
    let group = format!("/api/admin/groups/{}", made["id"]);
    let empty = json!({ "name": "team", "rootRole": 2, "users": [] });
    server.put(&group, empty).await.ok();
    assert_eq!(create("out").await, (403, 403));
    let back = json!({ "name": "team", "rootRole": 2, "users": [{ "user": { "id": ada.id } }] });
    server.put(&group, back).await.ok();
    assert_eq!(create("back").await, (201, 201));
    server.delete(&group).await.ok();
    assert_eq!(create("gone").await, (403, 403));
    assert_eq!(server.call(ADMIN, Method::GET, users, None).await.status, 200);
}
