//! Where two members say one thing, or a list names something twice, none of it is passed over.

use serde_json::{Value, json};
use vexil_admin_api::account::{OwnPassword, SignUp};
use vexil_admin_api::change_requests::{Proposal, StateCommand};
use vexil_admin_api::export::{ExportQuestion, Exported};
use vexil_admin_api::import::Import;
use vexil_admin_api::project::ProjectForm;
use vexil_admin_api::role::RoleForm;
use vexil_admin_api::sign_in::SignInForm;
use vexil_admin_api::sign_on::OidcForm;
use vexil_admin_api::strategy::read_places;
use vexil_admin_api::strategy_type::StrategyTypeForm;
use vexil_admin_api::tag::TagChanges;
use vexil_admin_api::token::NewToken;
use vexil_admin_api::user::read_password;
use vexil_client_api::json::Problem;

type Read = fn(&Value) -> Result<(), Vec<Problem>>;

/// Documents with the place of what would be passed over, and one each that says the same once.
fn documents() -> Vec<(Read, Value, &'static str, Value)> {
    macro_rules! read {
        ($read:expr) => {
            |body| $read(body).map(drop)
        };
    }
    let export: Read = read!(ExportQuestion::read);
    let sign_in: Read = read!(SignInForm::read);
    let oidc: Read = read!(OidcForm::read);
    let state: Read = read!(StateCommand::read);
    let import: Read = read!(Import::read);
    let role: Read = read!(RoleForm::read);
    let later = "2027-01-01T00:00:00Z";
    let permissions = |permission: Value| json!({ "name": "Releaser", "permissions": [permission] });
    let places = json!([{ "id": "a", "sortOrder": 1 }, { "id": "b", "sortOrder": 1 }]);
    let places_twice = json!([{ "id": "a", "sortOrder": 1 }, { "id": "a", "sortOrder": 2 }]);
    let reorder =
        |payload: &Value| json!({ "action": "reorderStrategy", "feature": "f", "payload": payload });
    let archive = |payload: Value| json!({ "action": "archiveFeature", "feature": "f", "payload": payload });
    let tags = |removed: &str| {
        let tag = |value: &str| json!([{ "type": "simple", "value": value }]);
        json!({ "addedTags": tag("blue"), "removedTags": tag(removed) })
    };
    let rules = |second: &str| {
        let rules = [("production", 1), (second, 3)];
        let rules = rules.map(|(name, needed)| json!({ "name": name, "requiredApprovals": needed }));
        json!({ "name": "Shop", "changeRequestEnvironments": rules })
    };
    let parameters = |second: &str| {
        let parameter = |name: &str, kind: &str| json!({ "name": name, "type": kind });
        json!({ "name": "mine", "parameters": [parameter("p", "string"), parameter(second, "number")] })
    };
    let data = |member: &str, list: Value| {
        let mut data = json!({
            "features": [{ "name": "f" }], "featureStrategies": [], "tagTypes": [],
        });
        data[member] = list;
        json!({ "project": "default", "environment": "development", "data": data })
    };
    let named = |second: &str| json!([{ "name": "region", "description": "one" }, { "name": second, "description": "two" }]);
    let settings = |name: &str| json!([{ "featureName": "f", "name": name, "enabled": true }]);
    let token = |project: &str| json!({ "tokenName": "t", "type": "client", "projects": ["shop"], "project": project });
    vec![
        (
            read!(Proposal::one),
            archive(json!({ "enabled": false })),
            "/payload/enabled",
            archive(json!({})),
        ),
        (
            export,
            json!({ "environment": "e", "features": ["f"], "tag": "t" }),
            "/tag",
            json!({ "environment": "e", "tag": "t" }),
        ),
        (
            export,
            json!({ "environment": "e", "features": ["f"], "project": "p" }),
            "/project",
            json!({ "environment": "e", "features": ["f"] }),
        ),
        (
            export,
            json!({ "environment": "e", "tag": "t", "project": "p" }),
            "/project",
            json!({ "environment": "e", "project": "p" }),
        ),
        (
            export,
            json!({ "environment": "e", "features": [], "tag": "t", "project": "p" }),
            "/project",
            json!({ "environment": "e", "features": [], "tag": "t" }),
        ),
        (
            sign_in,
            json!({ "username": "u", "password": "p", "token": "t" }),
            "/username",
            json!({ "username": "u", "password": "p" }),
        ),
        (
            sign_in,
            json!({ "password": "p", "token": "t" }),
            "/password",
            json!({ "token": "t" }),
        ),
        (
            oidc,
            json!({ "defaultRootRoleId": 3, "defaultRootRole": "Editor" }),
            "/defaultRootRole",
            json!({ "defaultRootRole": "Editor" }),
        ),
        (
            oidc,
            json!({ "acrValues": "phr" }),
            "/acrValues",
            json!({ "acrValues": "" }),
        ),
        (
            oidc,
            json!({ "idTokenSigningAlgorithm": "RS512" }),
            "/idTokenSigningAlgorithm",
            json!({ "idTokenSigningAlgorithm": "RS256" }),
        ),
        (
            role,
            permissions(json!({ "id": 1, "name": "CREATE_FEATURE" })),
            "/permissions/0/id",
            permissions(json!({ "name": "CREATE_FEATURE" })),
        ),
        (
            state,
            json!({ "state": "Applied", "scheduledAt": later }),
            "/scheduledAt",
            json!({ "state": "Scheduled", "scheduledAt": later }),
        ),
        (
            read!(OwnPassword::read),
            json!({ "oldPassword": "o", "password": "p", "confirmPassword": "q" }),
            "/confirmPassword",
            json!({ "oldPassword": "o", "password": "p", "confirmPassword": "p" }),
        ),
        (
            read!(read_password),
            json!({ "password": "p", "confirmPassword": "q" }),
            "/confirmPassword",
            json!({ "password": "p", "confirmPassword": "p" }),
        ),
        (
            read!(SignUp::read),
            json!({ "username": "u", "password": "p", "rootRole": 1 }),
            "/rootRole",
            json!({ "username": "u", "password": "p" }),
        ),
        (read!(read_places), places_twice.clone(), "", places.clone()),
        (
            read!(Proposal::one),
            reorder(&places_twice),
            "/payload",
            reorder(&places),
        ),
        (read!(TagChanges::read), tags("blue"), "/removedTags", tags("red")),
        (
            read!(ProjectForm::read_new),
            rules("production"),
            "/changeRequestEnvironments",
            rules("qa"),
        ),
        (
            read!(StrategyTypeForm::read_new),
            parameters("p"),
            "/parameters",
            parameters("q"),
        ),
        (
            import,
            data("contextFields", named("region")),
            "/data/contextFields",
            data("contextFields", named("country")),
        ),
        (
            import,
            data("tagTypes", named("region")),
            "/data/tagTypes",
            data("tagTypes", named("country")),
        ),
        (
            import,
            data("featureEnvironments", settings("g")),
            "/data/featureEnvironments/0/name",
            data("featureEnvironments", settings("f")),
        ),
        (read!(NewToken::read), token("other"), "/project", token("shop")),
    ]
}

#[test]
fn of_two_words_for_one_thing_none_is_passed_over() {
    for (read, sent, place, once) in documents() {
        let problems = read(&sent).err().unwrap_or_default();
        let paths: Vec<&str> = problems.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(
            paths.first(),
            Some(&format!("/body{place}").as_str()),
            "{sent}: {problems:?}"
        );
        assert_eq!(read(&once), Ok(()), "{once}");
    }
}

#[test]
fn an_empty_list_of_flags_is_no_word_for_which_are_exported() {
    let asked = json!({ "environment": "e", "features": [], "tag": "t" });
    let question = ExportQuestion::read(&asked).unwrap();
    assert_eq!(question.flags, Exported::Tagged("t".to_owned()));
}

#[test]
fn a_permission_that_lists_show_comes_back_with_its_id() {
    let place = vexil_access::Permission::ALL
        .iter()
        .position(|known| known.name() == "CREATE_FEATURE");
    let permission =
        json!({ "id": place.unwrap() + 1, "name": "CREATE_FEATURE", "displayName": "d", "type": "t" });
    let form = RoleForm::read(&json!({ "name": "Releaser", "permissions": [permission] })).unwrap();
    assert_eq!(form.permissions[0].name, "CREATE_FEATURE");
}
