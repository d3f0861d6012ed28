//! Single sign-on with OpenID Connect, against a provider that can say anything.

mod issuer;
mod told_later;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use time::Duration;
use vexil_service::single_sign_on::OidcSettings;

use crate::sign_in::{Browser, account, browser};
use crate::support::{Answer, START, TestServer};
use issuer::{CLIENT, Issuer, Plan};

/// A server whose people sign in at a provider.
struct Scene {
    server: TestServer,
    issuer: Issuer,
}

/// A browser that was sent to the provider.
struct Away {
    cookie: String,
    state: String,
    plan: Plan,
}

impl Scene {
    fn new() -> Self {
        Self::with(|_| {})
    }

    fn with(change: impl Fn(&mut OidcSettings)) -> Self {
        let issuer = Issuer::start();
        let mut settings = OidcSettings {
            enabled: true,
            issuer: issuer.address.clone(),
            client_id: CLIENT.to_owned(),
            client_secret: Some("secret".to_owned()),
            groups_claim: Some("groups".to_owned()),
            ..OidcSettings::default()
        };
        change(&mut settings);
        let server = TestServer::new();
        let app = server.app().clone().with_sign_on(settings);
        Self {
            server: server.with_app(app),
            issuer,
        }
    }

    /// Sends a browser to the provider, which will say that this is Ada.
    async fn leave(&self) -> Away {
        let answer = self
            .server
            .send(Method::GET, "/auth/oidc/login?to=/ui/flags", &[], "")
            .await;
        assert_eq!(answer.status, 302, "{}", answer.text);
        let set = answer.header("set-cookie").unwrap();
        for attribute in ["HttpOnly", "SameSite=Lax", "Path=/auth/oidc", "Max-Age=600"] {
            assert!(set.contains(attribute), "{set}");
        }
        let location = answer.header("location").unwrap().to_owned();
        let of = |name: &str| {
            let query = location.split_once('?').unwrap().1;
            let found = query
                .split('&')
                .find_map(|field| field.strip_prefix(&format!("{name}=")[..]));
            found.unwrap_or_else(|| panic!("{name}: {location}")).to_owned()
        };
        assert_eq!(
            (of("response_type"), of("code_challenge_method")),
            ("code".to_owned(), "S256".to_owned())
        );
        let now = START.unix_timestamp();
        let claims = json!({
            "iss": self.issuer.address, "aud": CLIENT, "sub": "ada-1", "nonce": of("nonce"),
            "iat": now, "exp": now + 300, "email": "ada@example.com", "email_verified": true,
            "preferred_username": "ada", "name": "Ada", "groups": ["devs"],
        });
        Away {
            cookie: set.split(';').next().unwrap().to_owned(),
            state: of("state"),
            plan: Plan {
                claims,
                told: json!({ "sub": "ada-1" }),
                algorithm: "RS256",
                breaks_signature: false,
                challenge: of("code_challenge"),
            },
        }
    }

    /// Brings a browser back.
    async fn come_back(&self, away: &Away) -> Answer {
        self.issuer.plan(away.plan.clone());
        self.call_back(&away.cookie, &away.state).await
    }

    async fn call_back(&self, cookie: &str, state: &str) -> Answer {
        let path = format!("/auth/oidc/callback?code=c&state={state}");
        self.server
            .send(Method::GET, &path, &[("cookie", cookie)], "")
            .await
    }

    /// Signs Ada in, with other claims than usual.
    async fn sign_in(&self, change: impl Fn(&mut Value)) -> Answer {
        let mut away = self.leave().await;
        change(&mut away.plan.claims);
        self.come_back(&away).await
    }

    async fn signed_in(&self, change: impl Fn(&mut Value)) -> Browser {
        let answer = self.sign_in(change).await;
        assert_eq!(answer.status, 303, "{}", answer.text);
        browser(&self.server, &answer)
    }
}

/// A page that says what to do, and nobody is signed in.
#[track_caller]
fn refused(answer: &Answer, status: StatusCode) {
    assert_eq!(answer.status, status.as_u16(), "{}", answer.text);
    assert!(answer.text.contains("You are not signed in"), "{}", answer.text);
    assert_eq!(answer.header("set-cookie"), None);
}

#[actix_web::test]
async fn whoever_comes_for_the_first_time_gets_an_account_that_looks() {
    let scene = Scene::new();
    let ada = scene.signed_in(|_| {}).await;
    let own = ada.get("/api/admin/user").await.ok();
    assert_eq!(
        (&own["user"]["username"], &own["user"]["rootRole"]),
        (&json!("ada"), &json!(3))
    );
    assert_eq!(own["user"]["email"], "ada@example.com");
    let again = scene
        .signed_in(|claims| claims["email"] = json!("other@example.com"))
        .await;
    assert_eq!(
        again.get("/api/admin/user").await.ok()["user"]["id"],
        own["user"]["id"]
    );
    let answer = scene.sign_in(|_| {}).await;
    assert_eq!(answer.header("location"), Some("/ui/flags"));
    let events = scene.server.get("/api/admin/events").await.text;
    assert!(
        events.contains("\"by\":\"oidc\"") || events.contains("user-signed-in"),
        "{events}"
    );
}

#[actix_web::test]
async fn what_cannot_be_believed_signs_nobody_in() {
    let scene = Scene::new();
    let now = START.unix_timestamp();
    let changes: [(&str, Value); 9] = [
        ("aud", json!("another")),
        ("aud", json!([CLIENT, "another"])),
        ("nonce", json!("another")),
        ("nonce", Value::Null),
        ("iss", json!("https://evil.example")),
        ("exp", json!(now - 61)),
        ("iat", json!(now + 300)),
        ("iat", json!(now - 7200)),
        ("sub", Value::Null),
    ];
    for (name, value) in changes {
        let answer = scene.sign_in(|claims| claims[name] = value.clone()).await;
        assert!(
            matches!(answer.status, 401),
            "{name}: {value}: {} {}",
            answer.status,
            answer.text
        );
        refused(&answer, StatusCode::UNAUTHORIZED);
    }
    let mut broken = scene.leave().await;
    broken.plan.breaks_signature = true;
    refused(&scene.come_back(&broken).await, StatusCode::UNAUTHORIZED);
    for algorithm in ["none", "HS256"] {
        let mut unsigned = scene.leave().await;
        unsigned.plan.algorithm = algorithm;
        refused(&scene.come_back(&unsigned).await, StatusCode::UNAUTHORIZED);
    }
    let mut other_verifier = scene.leave().await;
    other_verifier.plan.challenge = "another".to_owned();
    refused(&scene.come_back(&other_verifier).await, StatusCode::UNAUTHORIZED);
    let users = scene.server.get("/api/admin/user-admin").await.ok();
    assert_eq!(users["users"], json!([]));
}

#[actix_web::test]
async fn clocks_may_differ_by_a_minute() {
    let scene = Scene::new();
    let now = START.unix_timestamp();
    scene.signed_in(|claims| claims["exp"] = json!(now - 30)).await;
    scene.signed_in(|claims| claims["iat"] = json!(now + 30)).await;
}

#[actix_web::test]
async fn an_answer_counts_once_in_the_browser_that_asked_and_for_ten_minutes() {
    let scene = Scene::new();
    let (one, other) = (scene.leave().await, scene.leave().await);
    refused(&scene.call_back("", &one.state).await, StatusCode::UNAUTHORIZED);
    refused(
        &scene.call_back(&other.cookie, &one.state).await,
        StatusCode::UNAUTHORIZED,
    );
    refused(
        &scene.call_back(&one.cookie, "nonsense").await,
        StatusCode::UNAUTHORIZED,
    );
    assert_eq!(scene.come_back(&one).await.status, 303);
    refused(&scene.come_back(&one).await, StatusCode::UNAUTHORIZED);
    scene.server.set_time(START + Duration::minutes(10));
    refused(&scene.come_back(&other).await, StatusCode::UNAUTHORIZED);
}

#[actix_web::test]
async fn groups_of_the_provider_give_rights_until_they_are_gone() {
    let scene = Scene::new();
    let body = json!({ "name": "team", "rootRole": "Editor", "mappingsSSO": ["devs"] });
    scene.server.post("/api/admin/groups", body).await.ok();
    let flags = "/api/admin/projects/default/features";
    let ada = scene.signed_in(|_| {}).await;
    let made = ada.call(Method::POST, flags, Some(&json!({ "name": "a" }))).await;
    assert_eq!(made.status, 201, "{}", made.text);
    for gone in [json!(["others"]), json!([]), Value::Null] {
        scene.signed_in(|_| {}).await;
        let later = scene.signed_in(|claims| claims["groups"] = gone.clone()).await;
        for browser in [&later, &ada] {
            let refused = browser
                .call(Method::POST, flags, Some(&json!({ "name": "b" })))
                .await;
            assert_eq!(refused.status, 403, "{gone}: {}", refused.text);
        }
    }
}

#[actix_web::test]
async fn an_account_is_taken_over_only_by_an_address_that_the_provider_vouches_for() {
    let scene = Scene::new();
    let id = account(&scene.server, "grace", "Editor").await;
    let stranger = scene
        .signed_in(|claims| {
            claims["email"] = json!("grace@example.com");
            claims["email_verified"] = json!(false);
            claims["sub"] = json!("stranger");
        })
        .await;
    assert_ne!(stranger.get("/api/admin/user").await.ok()["user"]["id"], id);
    let grace = |sub: &'static str| {
        move |claims: &mut Value| {
            claims["email"] = json!("Grace@example.com");
            claims["sub"] = json!(sub);
        }
    };
    let own = scene.signed_in(grace("grace-1")).await;
    assert_eq!(own.get("/api/admin/user").await.ok()["user"]["id"], id);
    // the address belongs to the first identity from then on
    let other = scene.signed_in(grace("grace-2")).await;
    assert_ne!(other.get("/api/admin/user").await.ok()["user"]["id"], id);
}

#[actix_web::test]
async fn only_the_domains_and_people_that_are_let_in_come_in() {
    let outside = Scene::with(|settings| {
        settings.email_domains.insert("example.org".to_owned());
    });
    refused(&outside.sign_in(|_| {}).await, StatusCode::FORBIDDEN);
    let unverified = |claims: &mut Value| {
        claims["email"] = json!("ada@example.org");
        claims["email_verified"] = json!(false);
    };
    refused(&outside.sign_in(unverified).await, StatusCode::FORBIDDEN);
    outside
        .signed_in(|claims| claims["email"] = json!("ada@example.org"))
        .await;
    let closed = Scene::with(|settings| settings.creates_accounts = false);
    refused(&closed.sign_in(|_| {}).await, StatusCode::FORBIDDEN);
    account(&closed.server, "ada", "Viewer").await;
    closed.signed_in(|_| {}).await;
}

#[actix_web::test]
async fn a_provider_that_is_away_ends_on_a_page() {
    let scene = Scene::with(|settings| settings.issuer = "http://127.0.0.1:1".to_owned());
    let answer = scene.server.send(Method::GET, "/auth/oidc/login", &[], "").await;
    refused(&answer, StatusCode::FAILED_DEPENDENCY);
    let answer = TestServer::new()
        .send(Method::GET, "/auth/oidc/login", &[], "")
        .await;
    refused(&answer, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn the_browser_goes_on_to_pages_of_this_server_alone() {
    let scene = Scene::new();
    for page in ["https://evil.example", "//evil.example", "/\\evil.example"] {
        let path = format!("/auth/oidc/login?to={page}");
        let answer = scene.server.send(Method::GET, &path, &[], "").await;
        let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap();
        // `/` in hexadecimal
        assert!(cookie.ends_with(".2f"), "{cookie}");
    }
}

#[actix_web::test]
async fn an_admin_sets_it_up_and_the_secret_is_never_shown() {
    const SETTINGS: &str = "/api/admin/auth/oidc/settings";
    let issuer = Issuer::start();
    let server = TestServer::new();
    let body = json!({ "enabled": true, "discoverUrl": issuer.address, "clientId": CLIENT, "secret": "very-secret" });
    // without a key there is nothing to seal the secret with
    server
        .post(SETTINGS, body.clone())
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    let app = server
        .app()
        .clone()
        .with_secret_key("0123456789abcdef0123456789abcdef", false)
        .unwrap();
    let server = server.with_app(app);
    let passwords = "/api/admin/auth/simple/settings";
    let off = json!({ "disabled": true });
    server
        .post(passwords, off.clone())
        .await
        .refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    let set = server.post(SETTINGS, body).await.ok();
    assert_eq!((&set["secret"], &set["enabled"]), (&json!("***"), &json!(true)));
    let answer = server.send(Method::GET, "/auth/oidc/login", &[], "").await;
    assert!(
        answer.header("location").unwrap().starts_with(&issuer.address),
        "{}",
        answer.text
    );
    for path in [SETTINGS, "/api/admin/events"] {
        assert!(!server.get(path).await.text.contains("very-secret"));
    }
    assert_eq!(server.post(passwords, off).await.ok()["disabled"], true);
    account(&server, "ada", "Viewer").await;
    let body = json!({ "username": "ada", "password": crate::sign_in::PASSWORD }).to_string();
    let json_type = [("content-type", "application/json")];
    let answer = server
        .send(Method::POST, "/auth/simple/login", &json_type, body)
        .await;
    answer.refused(StatusCode::FORBIDDEN, "InvalidOperationError");
    let nobody = server.send(Method::GET, "/api/admin/user", &[], "").await.json();
    assert_eq!(
        (&nobody["defaultHidden"], &nobody["options"][0]["path"]),
        (&json!(true), &json!("/auth/oidc/login"))
    );
    // whoever has the database gets in again
    let (password, is_new) = vexil_server::reset_password(server.app(), "root").unwrap();
    assert!(is_new && server.get(passwords).await.ok()["disabled"] == false);
    let body = json!({ "username": "root", "password": password }).to_string();
    server
        .send(Method::POST, "/auth/simple/login", &json_type, body)
        .await
        .ok();
    for body in [
        json!({ "enabled": true, "discoverUrl": "http://id.example.com" }),
        json!({ "defaultRootRoleId": 1 }),
        json!({ "defaultRootRoleId": 4 }),
        json!({ "discoverURL": "x" }),
    ] {
        server
            .post(SETTINGS, body)
            .await
            .refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
}
