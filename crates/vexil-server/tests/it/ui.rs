//! The web pages as a browser gets them: the shell, its files, and what protects both.

use actix_web::http::Method;

use crate::support::{ADMIN, Answer, CLIENT, TestServer};
use crate::users::person;

async fn get(server: &TestServer, path: &str, headers: &[(&str, &str)]) -> Answer {
    server.send(Method::GET, path, headers, "").await
}

fn header<'a>(answer: &'a Answer, name: &str) -> &'a str {
    let found = answer.headers.iter().find(|(header, _)| header == name);
    found.map_or("", |(_, value)| value)
}

/// The addresses that a shell names.
fn addresses(shell: &str) -> Vec<&str> {
    let parts = shell.split("\"/ui/files/").skip(1);
    let addresses = parts.map(|part| part.split('"').next().unwrap());
    addresses.filter(|address| address.contains('/')).collect()
}

#[actix_web::test]
async fn the_address_of_the_server_leads_to_the_pages() {
    let answer = get(&TestServer::new(), "/", &[]).await;
    assert_eq!((answer.status, header(&answer, "location")), (302, "/ui"));
}

#[actix_web::test]
async fn every_page_is_one_shell_that_no_cache_keeps() {
    let server = TestServer::new();
    for path in ["/ui", "/ui/flags", "/ui/flags/default/a%2Fb", "/ui/no/such/page"] {
        let answer = get(&server, path, &[]).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(header(&answer, "content-type"), "text/html; charset=utf-8");
        assert_eq!(header(&answer, "cache-control"), "no-store");
        assert!(answer.text.starts_with("<!doctype html>"));
    }
}

#[actix_web::test]
async fn a_shell_allows_nothing_inline_nothing_from_elsewhere_and_no_frame() {
    let answer = get(&TestServer::new(), "/ui/flags", &[]).await;
    let policy = header(&answer, "content-security-policy");
    for part in [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ] {
        assert!(
            policy.split("; ").any(|found| found == part),
            "{part} in {policy}"
        );
    }
    assert!(!policy.contains("unsafe"));
    assert_eq!(header(&answer, "referrer-policy"), "no-referrer");
    assert_eq!(header(&answer, "cross-origin-opener-policy"), "same-origin");
    assert_eq!(header(&answer, "x-frame-options"), "DENY");
    assert_eq!(header(&answer, "x-content-type-options"), "nosniff");
}

#[actix_web::test]
async fn files_are_kept_for_ever_and_come_as_the_browser_can_read_them() {
    let server = TestServer::new();
    let shell = get(&server, "/ui/flags", &[("Authorization", ADMIN)]).await;
    let addresses = addresses(&shell.text);
    assert!(addresses.len() >= 3, "{addresses:?}");
    for address in addresses {
        for (accepted, encoding) in [("gzip, br", "br"), ("gzip", "gzip"), ("", "")] {
            let path = format!("/ui/files/{address}");
            let answer = get(&server, &path, &[("Accept-Encoding", accepted)]).await;
            assert_eq!(answer.status, 200, "{address}");
            assert_eq!(header(&answer, "content-encoding"), encoding);
            assert_eq!(header(&answer, "vary"), "accept-encoding");
            assert_eq!(
                header(&answer, "cache-control"),
                "public, max-age=31536000, immutable"
            );
            assert_eq!(header(&answer, "x-content-type-options"), "nosniff");
        }
    }
}

#[actix_web::test]
async fn a_file_of_another_version_or_by_another_name_is_not_there() {
    let server = TestServer::new();
    let shell = get(&server, "/ui/flags", &[]).await;
    let digest = addresses(&shell.text)[0].split('/').next().unwrap();
    for path in [
        "0000000000000000/core.js",
        &format!("{digest}/none.js"),
        &format!("{digest}/..%2Fshell.rs"),
    ] {
        let answer = get(
            &server,
            &format!("/ui/files/{path}"),
            &[("Accept-Encoding", "br")],
        )
        .await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.json()["name"], "NotFoundError");
    }
}

#[actix_web::test]
async fn the_shell_says_who_is_signed_in_and_nothing_to_others() {
    let server = TestServer::new();
    let hostile = "</script><script>alert(1)</script>\"&";
    let someone = person(&server, hostile, "Viewer").await;
    let shell = get(&server, "/ui/flags", &[("Authorization", &someone.token)]).await;
    assert!(shell.text.contains("data-session=\"{&quot;id&quot;:"));
    assert!(!shell.text.contains("<script>"), "{}", shell.text);
    assert!(
        shell
            .text
            .contains("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;\\&quot;&amp;")
    );
    for headers in [
        &[][..],
        &[("Authorization", "unknown")],
        &[("Authorization", CLIENT)],
    ] {
        let shell = get(&server, "/ui/flags", headers).await;
        assert_eq!(shell.status, 200);
        assert!(shell.text.contains("data-session=\"null\""));
        assert!(shell.text.contains("/sign-in.js\""));
    }
}

#[actix_web::test]
async fn the_shell_arrives_in_the_colours_that_were_chosen() {
    let server = TestServer::new();
    for (cookie, expected) in [
        ("dark", "data-theme=\"dark\""),
        ("light", "data-theme=\"light\""),
        ("\"><b>", "&quot;mail&quot;:false}}\">"),
    ] {
        let cookie = format!("vexil-theme={cookie}");
        let shell = get(&server, "/ui/flags", &[("Cookie", &cookie)]).await;
        assert!(shell.text.contains(expected), "{cookie}");
        assert!(!shell.text.contains("<b>"));
    }
}

#[actix_web::test]
async fn without_the_pages_the_server_works_and_their_paths_lead_nowhere() {
    let server = TestServer::new();
    let without = server.app().clone().with_pages(false);
    let server = server.with_app(without);
    for path in ["/", "/signed-out", "/ui", "/ui/flags", "/ui/files/x/core.js"] {
        let answer = get(&server, path, &[("Authorization", ADMIN)]).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(
            answer.json()["message"]
                .as_str()
                .unwrap()
                .starts_with("The path you were looking for")
        );
    }
    assert_eq!(
        get(&server, "/api/admin/user", &[("Authorization", ADMIN)])
            .await
            .status,
        200
    );
}

/// What the attribute `data-given` of a shell holds.
fn given(shell: &str) -> serde_json::Value {
    let text = shell.split("data-given=\"").nth(1).unwrap();
    let text = text.split('"').next().unwrap();
    let plain = text
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
    serde_json::from_str(&plain).unwrap()
}

#[actix_web::test]
async fn the_shell_brings_along_what_the_page_asks_first_and_only_to_who_may_ask() {
    let server = TestServer::new();
    let path = "/api/admin/projects/default/environments/development/change-requests";
    server
        .post(
            "/api/admin/projects/default/features",
            serde_json::json!({ "name": "a\"<b>" }),
        )
        .await;
    server
        .post(
            "/api/admin/projects/default/features",
            serde_json::json!({ "name": "checkout" }),
        )
        .await
        .ok();
    let change = serde_json::json!({ "feature": "checkout", "action": "updateEnabled", "payload": { "enabled": true } });
    server.post(path, change).await.ok();
    for (page, asked) in [
        ("change-requests/default/1", "projects/default/change-requests/1"),
        (
            "flags/default/checkout",
            "projects/default/change-requests/config",
        ),
        (
            "flags/default/checkout/development/new",
            "projects/default/change-requests/config",
        ),
        ("playground", "environments"),
    ] {
        let shell = get(&server, &format!("/ui/{page}"), &[("Authorization", ADMIN)]).await;
        let answer = server.get(&format!("/api/admin/{asked}")).await.ok();
        assert_eq!(given(&shell.text)[asked], answer, "{page}");
        let shell = get(&server, &format!("/ui/{page}"), &[]).await;
        // whoever is not signed in is told how to, and nothing else
        let ways = serde_json::json!({ "password": true, "provider": false, "mail": false });
        assert_eq!(
            given(&shell.text),
            serde_json::json!({ "sign-in": ways }),
            "{page}"
        );
    }
    for page in [
        "flags",
        "change-requests/default/99",
        "change-requests/none/1",
        "change-requests/default/x",
        "flags/none/x",
        "%22%3E/x/y",
    ] {
        let shell = get(&server, &format!("/ui/{page}"), &[("Authorization", ADMIN)]).await;
        assert_eq!(
            (shell.status, given(&shell.text)),
            (200, serde_json::json!({})),
            "{page}"
        );
    }
}
