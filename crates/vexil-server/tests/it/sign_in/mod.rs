//! Signing in, sessions, and what a cookie counts for.

mod cookies;
mod cross_site;
mod endings;
mod guessing;
mod hostile;
mod links;
mod own_password;
mod password_links;
mod sign_up;
mod tokens;

use actix_web::http::Method;
use serde_json::{Value, json};

use crate::support::{Answer, TestServer};

pub const PASSWORD: &str = "Xy7!pqRstuvw9";
pub const LOGIN: &str = "/auth/simple/login";
const JSON: (&str, &str) = ("content-type", "application/json");
const SAME_ORIGIN: (&str, &str) = ("sec-fetch-site", "same-origin");

/// A browser that is signed in.
#[derive(Clone)]
pub struct Browser {
    pub server: TestServer,
    /// The name and value of its cookie.
    pub cookie: String,
}

impl Browser {
    /// A request of a page of the server itself.
    pub async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        self.send(
            method,
            path,
            &[JSON, SAME_ORIGIN],
            body.map(Value::to_string).unwrap_or_default(),
        )
        .await
    }

    /// A request with these headers beside the cookie.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Vec<u8>>,
    ) -> Answer {
        let mut all = vec![("cookie", self.cookie.as_str())];
        all.extend(headers);
        self.server.send(method, path, &all, body).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.call(Method::GET, path, None).await
    }

    /// Whether the session counts.
    pub async fn is_signed_in(&self) -> bool {
        match self.get("/api/admin/user").await.status {
            200 => true,
            401 => false,
            other => panic!("{other}"),
        }
    }
}

/// Somebody with a password.
pub async fn account(server: &TestServer, name: &str, role: &str) -> i64 {
    let body = json!({ "username": name, "email": format!("{name}@example.com"), "rootRole": role, "password": PASSWORD });
    let user = server.post("/api/admin/user-admin", body).await.ok();
    user["id"].as_i64().unwrap()
}

pub async fn try_to_sign_in(server: &TestServer, name: &str, password: &str) -> Answer {
    let body = json!({ "username": name, "password": password }).to_string();
    server.send(Method::POST, LOGIN, &[JSON], body).await
}

/// The browser that an answer has signed in.
pub fn browser(server: &TestServer, answer: &Answer) -> Browser {
    let set = answer
        .header("set-cookie")
        .unwrap_or_else(|| panic!("{}", answer.text));
    let cookie = set.split(';').next().unwrap().to_owned();
    Browser {
        server: server.clone(),
        cookie,
    }
}

pub async fn signed_in(server: &TestServer, name: &str) -> Browser {
    let answer = try_to_sign_in(server, name, PASSWORD).await;
    answer.ok();
    browser(server, &answer)
}
