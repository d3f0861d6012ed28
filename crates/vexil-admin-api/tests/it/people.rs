//! What is sent about people, and by them: every document, with everything in it.

use serde_json::json;
use vexil_admin_api::account::{
    FeedbackForm, NewSignUpLink, OwnPassword, PasswordByLink, SignUpLinkChange, read_email, read_user,
    read_user_ids,
};
use vexil_admin_api::group::GroupForm;
use vexil_admin_api::project_access::{AccessForm, read_roles, read_whole_access};
use vexil_admin_api::role::{RoleForm, read_role_name};

use crate::documents::{Document, document};

/// What is sent about people, and by them.
pub(crate) fn documents() -> Vec<Document> {
    macro_rules! read {
        ($read:expr) => {
            |body| $read(body).map(drop)
        };
    }
    vec![
        document(
            "role",
            read!(RoleForm::read),
            json!({
                "name": "Releaser",
                "description": "d",
                "type": "custom",
                "permissions": [{ "name": "CREATE_FEATURE", "environment": "qa", "displayName": "d", "type": "t" }],
            }),
        ),
        document("role name", read!(read_role_name), json!({ "name": "Releaser" })),
        document(
            "group",
            read!(GroupForm::read),
            json!({ "name": "g", "description": "d", "rootRole": 2, "mappingsSSO": ["x"], "users": [{ "user": { "id": 1 } }, { "id": 2 }] }),
        ),
        document(
            "access",
            read!(AccessForm::read),
            json!({ "roles": [4], "users": [{ "id": 1 }], "groups": [1] }),
        ),
        document(
            "whole access",
            read!(read_whole_access),
            json!({ "roles": [{ "id": 4, "name": "Owner", "users": [{ "id": 1 }], "groups": [{ "id": 1 }] }] }),
        ),
        document("roles", read!(read_roles), json!({ "roles": [4] })),
        document(
            "own password",
            read!(OwnPassword::read),
            json!({ "oldPassword": "o", "password": "p", "confirmPassword": "p" }),
        ),
        document(
            "password by link",
            read!(PasswordByLink::read),
            json!({ "token": "t", "password": "p" }),
        ),
        document("address", read!(read_email), json!({ "email": "a@example.com" })),
        document("user", read!(read_user), json!({ "id": 1 })),
        document("user ids", read!(read_user_ids), json!({ "ids": [1] })),
        document(
            "new link for signing up",
            read!(NewSignUpLink::read),
            json!({ "name": "n", "expiresAt": "2026-12-01T00:00:00Z", "rootRole": 3 }),
        ),
        document(
            "link for signing up",
            read!(SignUpLinkChange::read),
            json!({ "enabled": true, "expiresAt": "2026-12-01T00:00:00Z" }),
        ),
        document(
            "answer to a question",
            read!(FeedbackForm::read),
            json!({ "feedbackId": "f", "neverShow": true }),
        ),
    ]
}
