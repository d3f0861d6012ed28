//! API tokens in the text form that people write and SDKs send: `PROJECTS:ENVIRONMENT.SECRET`.

use uuid::Uuid;
use vexil_domain::{EnvironmentName, ProjectId, check_url_friendly};
use vexil_store::TokenKind;

/// What the text form of a token says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TokenScope {
    /// The projects; empty for all.
    pub(crate) projects: Vec<ProjectId>,
    /// The environment; `None` for all.
    pub(crate) environment: Option<EnvironmentName>,
}

/// A setting with this and the hash of a token says that the initial token was added once. It is added no
/// second time: one that was revoked stays revoked. Such settings are no settings to people.
pub(crate) const INITIAL_TOKEN: &str = "initial-token:";

/// Why the text of a token cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TokenError {
    #[error(
        "is not of the form PROJECT:ENVIRONMENT.SECRET, such as *:*.SECRET for an admin token or default:development.SECRET for an SDK"
    )]
    Form,
    #[error("is an SDK token, which must name one environment instead of *")]
    NoEnvironment,
    #[error(
        "is for several projects that it does not name; make it with POST /api/admin/api-tokens, which is told them"
    )]
    UnnamedProjects,
    #[error("is an admin token, which is for everything and of the form *:*.SECRET")]
    ScopedAdmin,
}

/// Reads what a token says of itself. What is not understood is no token: a text `[]:…` is for several projects
/// that it does not name, and no admin token is for less than everything.
pub(crate) fn read_scope(text: &str, kind: TokenKind) -> Result<TokenScope, TokenError> {
    let (projects, rest) = text.split_once(':').ok_or(TokenError::Form)?;
    let (environment, secret) = rest.split_once('.').ok_or(TokenError::Form)?;
    if projects.is_empty() || environment.is_empty() || secret.is_empty() {
        return Err(TokenError::Form);
    }
    let projects: Vec<ProjectId> = match projects {
        "*" => Vec::new(),
        "[]" => return Err(TokenError::UnnamedProjects),
        one if check_url_friendly(one).is_err() => return Err(TokenError::Form),
        one => vec![one.into()],
    };
    let environment: Option<EnvironmentName> = (environment != "*").then(|| environment.into());
    if kind == TokenKind::Admin && !(projects.is_empty() && environment.is_none()) {
        return Err(TokenError::ScopedAdmin);
    }
    if kind != TokenKind::Admin && environment.is_none() {
        return Err(TokenError::NoEnvironment);
    }
    Ok(TokenScope {
        projects,
        environment,
    })
}

/// The text of a new token with a secret of 244 random bits.
pub(crate) fn generate(projects: &[ProjectId], environment: Option<&EnvironmentName>) -> String {
    let secret = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    text(projects, environment, &secret)
}

/// The text of a token with a secret.
pub(crate) fn text(projects: &[ProjectId], environment: Option<&EnvironmentName>, secret: &str) -> String {
    let projects = match projects {
        [] => "*",
        [one] => one.as_str(),
        _ => "[]",
    };
    let environment = environment.map_or("*", EnvironmentName::as_str);
    format!("{projects}:{environment}.{secret}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_names_its_projects_and_its_environment() {
        let scope = read_scope("default:development.a.b:c", TokenKind::Client).unwrap();
        assert_eq!(scope.projects, ["default".into()]);
        assert_eq!(scope.environment, Some("development".into()));
        let admin = read_scope("*:*.secret", TokenKind::Admin).unwrap();
        assert_eq!(
            admin,
            TokenScope {
                projects: Vec::new(),
                environment: None
            }
        );
    }

    #[test]
    fn what_is_no_token_is_refused() {
        for text in [
            "",
            "secret",
            "default:development",
            "*:.x",
            ":development.x",
            "default:development.",
        ] {
            assert_eq!(
                read_scope(text, TokenKind::Admin),
                Err(TokenError::Form),
                "{text}"
            );
        }
        let refused = |text, kind, problem| assert_eq!(read_scope(text, kind), Err(problem), "{text}");
        refused("default:*.x", TokenKind::Client, TokenError::NoEnvironment);
        refused("[]:development.x", TokenKind::Client, TokenError::UnnamedProjects);
        refused(
            "[]:development.x",
            TokenKind::Frontend,
            TokenError::UnnamedProjects,
        );
        refused("a,b:development.x", TokenKind::Client, TokenError::Form);
        refused("a b:development.x", TokenKind::Client, TokenError::Form);
        for text in ["shop:*.x", "*:development.x", "shop:development.x"] {
            refused(text, TokenKind::Admin, TokenError::ScopedAdmin);
        }
        refused("[]:*.x", TokenKind::Admin, TokenError::UnnamedProjects);
    }

    #[test]
    fn a_generated_token_says_what_it_is_for() {
        let text = generate(&["shop".into()], Some(&"production".into()));
        let scope = read_scope(&text, TokenKind::Client).unwrap();
        assert_eq!(scope.projects, ["shop".into()]);
        assert_eq!(scope.environment, Some("production".into()));
        assert_ne!(text, generate(&["shop".into()], Some(&"production".into())));
    }
}
