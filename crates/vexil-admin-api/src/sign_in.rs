//! Signing in: what is sent.

use serde_json::Value;
use vexil_client_api::json::{Node, Problem, Problems, at_most_one};

/// How somebody proves who they are.
#[derive(Clone, PartialEq, Eq)]
pub enum SignInForm {
    /// With a password.
    Password {
        /// The username or email address.
        username: String,
        /// The password.
        password: String,
    },
    /// With a personal access token, an admin token, or the secret of a link.
    Token(String),
}

/// So that no log shows what was typed.
impl std::fmt::Debug for SignInForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Password { .. } => "Password(…)",
            Self::Token(_) => "Token(…)",
        })
    }
}

impl SignInForm {
    /// Reads `{"username": …, "password": …}` or `{"token": …}`.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the body.
    pub fn read(body: &Value) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let node = Node::body(body);
        if node
            .object_of(&mut problems, &["username", "password", "token"])
            .is_none()
        {
            return problems.finish(None);
        }
        let token = node.get("token");
        for other in ["username", "password"] {
            at_most_one(&mut problems, "who signs in", &[token.clone(), node.get(other)]);
        }
        let form = if token.is_absent() {
            let username = node.get("username").text(&mut problems);
            let password = node.get("password").text(&mut problems);
            let both = username.zip(password);
            both.map(|(username, password)| Self::Password { username, password })
        } else {
            token.non_empty_text(&mut problems).map(Self::Token)
        };
        problems.finish(form)
    }
}
