//! API tokens in the text form that people write and SDKs send: `PROJECTS:ENVIRONMENT.SECRET`.

use uuid::Uuid;
use vexil_domain::{EnvironmentName, ProjectId};
use vexil_store::TokenKind;

/// What the text form of a token says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TokenScope {
    /// The projects; empty for all.
    pub(crate) projects: Vec<ProjectId>,
    /// The environment; `None` for all.
    pub(crate) environment: Option<EnvironmentName>,
}

/// Why the text of a token cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TokenProblem {
    #[error(
        "is not of the form PROJECT:ENVIRONMENT.SECRET, such as *:*.SECRET for an admin token or default:development.SECRET for an SDK"
    )]
    Form,
    #[error("is an SDK token, which must name one environment instead of *")]
    NoEnvironment,
}

/// Reads what a token says of itself. A token `[]:…` is for several projects that it does not name:
/// it is taken as one for all.
pub(crate) fn read_scope(text: &str, kind: TokenKind) -> Result<TokenScope, TokenProblem> {
    let (projects, rest) = text.split_once(':').ok_or(TokenProblem::Form)?;
    let (environment, secret) = rest.split_once('.').ok_or(TokenProblem::Form)?;
    if projects.is_empty() || environment.is_empty() || secret.is_empty() {
        return Err(TokenProblem::Form);
    }
    let projects = if matches!(projects, "*" | "[]") {
        Vec::new()
    } else {
        vec![projects.into()]
    };
    let environment = (environment != "*").then(|| environment.into());
    if kind != TokenKind::Admin && environment.is_none() {
        return Err(TokenProblem::NoEnvironment);
    }
    Ok(TokenScope {
        projects,
        environment,
    })
}

/// The text of a new token with a secret of 244 random bits.
pub(crate) fn generate(projects: &[ProjectId], environment: Option<&EnvironmentName>) -> String {
    let projects = match projects {
        [] => "*",
        [one] => one.as_str(),
        _ => "[]",
    };
    let environment = environment.map_or("*", EnvironmentName::as_str);
    format!(
        "{projects}:{environment}.{}{}",
        Uuid::new_v4().simple(),
        Uuid::new_v4().simple()
    )
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
                Err(TokenProblem::Form),
                "{text}"
            );
        }
        assert_eq!(
            read_scope("default:*.x", TokenKind::Client),
            Err(TokenProblem::NoEnvironment)
        );
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
