//! Tests of the mapping from errors to answers.

use std::collections::BTreeSet;
use std::time::Duration;

use actix_web::ResponseError;
use actix_web::body::to_bytes;
use actix_web::http::header::RETRY_AFTER;
use serde_json::Value;

use super::*;

/// One of each kind.
fn all() -> Vec<ApiError> {
    let retry_after = Duration::from_millis(2_500);
    let operations = [
        Error::invalid("x"),
        Error::missing_permission("CREATE_FEATURE"),
        Error::NotAPerson("x"),
        Error::NoPassword,
        Error::InvalidOperation("x".to_owned()),
        Error::NotFound("x".to_owned()),
        Error::NameExists("x".to_owned()),
        Error::Conflict("x".to_owned()),
        Error::RoleInUse("x".to_owned()),
        Error::WeakPassword(vec!["x"]),
        Error::TooManyRequests {
            message: "x".to_owned(),
            retry_after,
        },
        Error::Busy {
            doing: "other previews",
            retry_after: Duration::ZERO,
        },
        Error::Maintenance,
        Error::unavailable("a secret cause"),
        Error::UnknownOutcome {
            source: std::sync::Arc::from(Box::from("a secret cause")),
        },
        Error::internal("a secret cause"),
    ];
    let door = [
        ApiError::AuthenticationRequired(Box::new(HowToSignIn {
            path: "/auth/simple/login".to_owned(),
            kind: "password",
            default_hidden: false,
            options: Vec::new(),
        })),
        ApiError::PasswordMismatch,
        ApiError::UnusableLink,
        ApiError::HeadUnreadable,
        ApiError::HeadTooLarge,
        ApiError::Unauthorized("x".to_owned()),
        ApiError::NotAcceptable {
            offered: "application/json",
        },
        ApiError::TooSlow,
        ApiError::TooLarge { limit: 5 },
        ApiError::ContentType("text/html".to_owned()),
        ApiError::ContentCoding {
            given: "rot13".to_owned(),
            known: "gzip",
        },
    ];
    operations.into_iter().map(ApiError::from).chain(door).collect()
}

/// The kinds of errors with their names, once: a kind that is new does not compile before it stands here.
macro_rules! kinds {
    ($($name:literal: $kind:pat,)+) => {
        const KINDS: &[&str] = &[$($name),+];

        fn kind(error: &ApiError) -> &'static str {
            match error {
                $($kind => $name,)+
            }
        }
    };
}

kinds! {
    "invalid": ApiError::Operation(Error::Invalid { .. }),
    "forbidden": ApiError::Operation(Error::Forbidden { .. }),
    "no person": ApiError::Operation(Error::NotAPerson(_)),
    "invalid operation": ApiError::Operation(Error::InvalidOperation(_)),
    "not found": ApiError::Operation(Error::NotFound(_)),
    "name exists": ApiError::Operation(Error::NameExists(_)),
    "conflict": ApiError::Operation(Error::Conflict(_)),
    "role in use": ApiError::Operation(Error::RoleInUse(_)),
    "no password": ApiError::Operation(Error::NoPassword),
    "weak password": ApiError::Operation(Error::WeakPassword(_)),
    "too many requests": ApiError::Operation(Error::TooManyRequests { .. }),
    "busy": ApiError::Operation(Error::Busy { .. }),
    "maintenance": ApiError::Operation(Error::Maintenance),
    "unavailable": ApiError::Operation(Error::Unavailable { .. }),
    "unknown outcome": ApiError::Operation(Error::UnknownOutcome { .. }),
    "internal": ApiError::Operation(Error::Internal { .. }),
    "not signed in": ApiError::AuthenticationRequired(_),
    "unauthorized": ApiError::Unauthorized(_),
    "password mismatch": ApiError::PasswordMismatch,
    "unusable link": ApiError::UnusableLink,
    "not acceptable": ApiError::NotAcceptable { .. },
    "head unreadable": ApiError::HeadUnreadable,
    "head too large": ApiError::HeadTooLarge,
    "too slow": ApiError::TooSlow,
    "too large": ApiError::TooLarge { .. },
    "content type": ApiError::ContentType(_),
    "content coding": ApiError::ContentCoding { .. },
}

#[test]
fn all_kinds_of_errors_are_looked_at() {
    let seen: BTreeSet<&str> = all().iter().map(kind).collect();
    assert_eq!(seen, KINDS.iter().copied().collect());
}

#[test]
fn every_503_and_429_says_when_to_ask_again_and_nothing_else_does() {
    for error in all() {
        let answer = error.error_response();
        let seconds = answer
            .headers()
            .get(RETRY_AFTER)
            .map(|value| value.to_str().unwrap().parse::<u64>());
        if matches!(answer.status().as_u16(), 429 | 503) {
            assert!(matches!(seconds, Some(Ok(1..))), "{error}: {seconds:?}");
        } else {
            assert_eq!(seconds, None, "{error}");
        }
    }
}

#[actix_web::test]
async fn every_refusal_has_the_one_shape_and_keeps_its_cause_to_itself() {
    for error in all() {
        let text = to_bytes(error.error_response().into_body()).await.unwrap();
        let body: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(body["id"].as_str().unwrap().len(), 36, "{body}");
        assert!(body["name"].is_string() && body["message"].is_string(), "{body}");
        assert!(body["details"][0]["message"].is_string(), "{body}");
        assert!(!body.to_string().contains("secret"), "{body}");
    }
}
