//! Every document that can be sent, with everything in it.

use serde_json::{Value, json};
use vexil_admin_api::change_requests::{
    Proposal, RuleCommand, StateCommand, read_comment, read_reviewers, read_title,
};
use vexil_admin_api::dependency::read_dependency;
use vexil_admin_api::environment::EnvironmentForm;
use vexil_admin_api::flag::{CloneFlag, FlagEdit, NewFlag, read_flag_names, read_free_name, read_stale};
use vexil_admin_api::patch::read_patch;
use vexil_admin_api::project::{EnvironmentAddition, ProjectForm, read_default_strategy};
use vexil_admin_api::segment::{SegmentForm, SegmentsOfStrategy};
use vexil_admin_api::strategy::{read_new, read_places, read_update};
use vexil_admin_api::strategy_type::StrategyTypeForm;
use vexil_admin_api::token::{NewToken, read_expiry};
use vexil_admin_api::user::{UserForm, read_grants, read_password, read_personal_token};
use vexil_client_api::json::{Node, Problem};

use crate::{people, questions};

/// A document: its name, how it is read, everything that can stand in it, and where `null` may stand, by JSON
/// pointers into it.
pub(crate) struct Document {
    pub(crate) name: &'static str,
    pub(crate) read: fn(&Value) -> Result<(), Vec<Problem>>,
    pub(crate) whole: Value,
    pub(crate) nullable: &'static [&'static str],
    /// Members that are understood as belonging to a document that is sent back, and not read.
    pub(crate) unread: &'static [&'static str],
    /// Objects whose members have any name.
    pub(crate) free: &'static [&'static str],
}

pub(crate) fn document(
    name: &'static str,
    read: fn(&Value) -> Result<(), Vec<Problem>>,
    whole: Value,
) -> Document {
    Document {
        name,
        read,
        whole,
        nullable: &[],
        unread: &[],
        free: &[],
    }
}

fn constraint() -> Value {
    json!({ "contextName": "userId", "operator": "IN", "values": ["7"], "inverted": true, "caseInsensitive": true })
}

fn version() -> Value {
    json!({ "contextName": "version", "operator": "SEMVER_GT", "value": "1.2.3" })
}

fn variant() -> Value {
    json!({
        "name": "blue",
        "weight": 1000,
        "weightType": "variable",
        "stickiness": "default",
        "payload": { "type": "string", "value": "x" },
        "overrides": [{ "contextName": "userId", "values": ["7"] }],
    })
}

fn strategy() -> Value {
    json!({
        "name": "flexibleRollout",
        "title": "for some",
        "disabled": false,
        "sortOrder": 1,
        "parameters": { "rollout": "50" },
        "constraints": [constraint(), version()],
        "segments": [1],
        "variants": [variant()],
    })
}

fn segment() -> Value {
    json!({ "name": "beta", "description": "d", "project": "shop", "constraints": [constraint()] })
}

pub(crate) fn with(mut document: Value, name: &str, value: Value) -> Value {
    document[name] = value;
    document
}

pub(crate) fn proposal(action: &str, payload: Value) -> Value {
    json!({ "action": action, "feature": "checkout", "payload": payload })
}

fn read_proposal(body: &Value) -> Result<(), Vec<Problem>> {
    Proposal::one_or_many(body).map(drop)
}

pub(crate) fn all() -> Vec<Document> {
    let mut all = vec![
        document(
            "new flag",
            |body| NewFlag::read(body).map(drop),
            json!({ "name": "f", "type": "release", "description": "d", "impressionData": true }),
        ),
        document(
            "clone",
            |body| CloneFlag::read(body).map(drop),
            json!({ "name": "f", "replaceGroupId": true }),
        ),
        document(
            "flag",
            |body| FlagEdit::read(&Node::body(body)).map(drop),
            json!({ "name": "f", "type": "release", "description": "d", "impressionData": true, "stale": true, "archived": false }),
        ),
        document(
            "flags",
            |body| read_flag_names(body).map(drop),
            json!({ "features": ["f"] }),
        ),
        document(
            "stale",
            |body| read_stale(body).map(drop),
            json!({ "features": ["f"], "stale": true }),
        ),
        document(
            "free name",
            |body| read_free_name(body).map(drop),
            json!({ "name": "f" }),
        ),
        document(
            "patch",
            |body| read_patch(body).map(drop),
            json!([{ "op": "add", "path": "/a", "value": 1 }, { "op": "move", "path": "/a", "from": "/b" }]),
        ),
        document(
            "dependency",
            |body| read_dependency(body).map(drop),
            json!({ "feature": "p", "enabled": true, "variants": ["v"] }),
        ),
        document("new strategy", |body| read_new(body).map(drop), strategy()),
        document(
            "strategy",
            |body| read_update("s".into(), &Node::body(body)).map(drop),
            strategy(),
        ),
        document(
            "default strategy",
            |body| read_default_strategy(body).map(drop),
            strategy(),
        ),
        document(
            "places",
            |body| read_places(body).map(drop),
            json!([{ "id": "s", "sortOrder": 1 }]),
        ),
        document("segment", |body| SegmentForm::read(body).map(drop), segment()),
        document(
            "segments of a strategy",
            |body| SegmentsOfStrategy::read(body).map(drop),
            json!({ "projectId": "p", "strategyId": "s", "environmentId": "e", "segmentIds": [1] }),
        ),
        document(
            "new project",
            |body| ProjectForm::read_new(body).map(drop),
            with(project(), "id", json!("shop")),
        ),
        document("project", |body| ProjectForm::read(body).map(drop), project()),
        document(
            "environment of a project",
            |body| EnvironmentAddition::read(body).map(drop),
            json!({ "environment": "qa", "changeRequestsEnabled": true }),
        ),
        document(
            "new environment",
            |body| EnvironmentForm::read_new(body).map(drop),
            with(environment(), "name", json!("qa")),
        ),
        document(
            "environment",
            |body| EnvironmentForm::read(body).map(drop),
            environment(),
        ),
        document(
            "new strategy type",
            |body| StrategyTypeForm::read_new(body).map(drop),
            with(strategy_type(), "name", json!("mine")),
        ),
        document(
            "strategy type",
            |body| StrategyTypeForm::read(body).map(drop),
            strategy_type(),
        ),
        document(
            "token",
            |body| NewToken::read(body).map(drop),
            json!({ "tokenName": "t", "type": "client", "environment": "qa", "projects": ["p"], "expiresAt": "2027-01-01T00:00:00Z" }),
        ),
        document(
            "token of one project",
            |body| NewToken::read(body).map(drop),
            json!({ "tokenName": "t", "type": "client", "environment": "qa", "project": "p" }),
        ),
        document(
            "end of a token",
            |body| read_expiry(body).map(drop),
            json!({ "expiresAt": "2027-01-01T00:00:00Z" }),
        ),
        document("new user", |body| UserForm::read_new(body).map(drop), user()),
        document("user", |body| UserForm::read_changes(body).map(drop), user()),
        document(
            "password",
            |body| read_password(body).map(drop),
            json!({ "password": "p" }),
        ),
        document(
            "personal token",
            |body| read_personal_token(body).map(drop),
            json!({ "description": "d", "expiresAt": "2027-01-01T00:00:00Z" }),
        ),
        document(
            "grants",
            |body| read_grants(body, &["A"]).map(drop),
            json!({ "permissions": [{ "permission": "A", "environment": "qa" }] }),
        ),
        document(
            "state",
            |body| StateCommand::read(body).map(drop),
            json!({ "state": "Scheduled", "scheduledAt": "2027-01-01T00:00:00Z", "comment": "c" }),
        ),
        document(
            "rule",
            |body| RuleCommand::read(body).map(drop),
            json!({ "changeRequestsEnabled": true, "requiredApprovals": 2 }),
        ),
        document(
            "title",
            |body| read_title(body).map(drop),
            json!({ "title": "t" }),
        ),
        document(
            "comment",
            |body| read_comment(body).map(drop),
            json!({ "text": "t" }),
        ),
        document(
            "reviewers",
            |body| read_reviewers(body).map(drop),
            json!({ "reviewers": [1] }),
        ),
        document(
            "updateEnabled",
            read_proposal,
            proposal(
                "updateEnabled",
                json!({ "enabled": true, "shouldActivateDisabledStrategies": true }),
            ),
        ),
        document("addStrategy", read_proposal, proposal("addStrategy", strategy())),
        document(
            "updateStrategy",
            read_proposal,
            proposal("updateStrategy", with(strategy(), "id", json!("s"))),
        ),
        document(
            "deleteStrategy",
            read_proposal,
            proposal("deleteStrategy", json!({ "id": "s" })),
        ),
        document(
            "reorderStrategy",
            read_proposal,
            proposal("reorderStrategy", json!([{ "id": "s", "sortOrder": 1 }])),
        ),
        document(
            "patchVariant",
            read_proposal,
            proposal("patchVariant", json!({ "variants": [variant()] })),
        ),
        document(
            "archiveFeature",
            read_proposal,
            json!({ "action": "archiveFeature", "feature": "checkout" }),
        ),
        document(
            "addDependency",
            read_proposal,
            proposal(
                "addDependency",
                json!({ "feature": "p", "enabled": true, "variants": ["v"] }),
            ),
        ),
        document(
            "deleteDependency",
            read_proposal,
            proposal("deleteDependency", json!({ "feature": "p" })),
        ),
        document(
            "updateSegment",
            read_proposal,
            json!({ "action": "updateSegment", "payload": with(segment(), "id", json!(1)) }),
        ),
        document(
            "deleteSegment",
            read_proposal,
            json!({ "action": "deleteSegment", "payload": { "id": 1 } }),
        ),
        document(
            "many changes",
            read_proposal,
            json!([proposal("updateEnabled", json!({ "enabled": true }))]),
        ),
    ];
    all.extend(questions::documents());
    all.extend(people::documents());
    for document in &mut all {
        (document.nullable, document.unread, document.free) = exceptions(document.name);
    }
    all
}

pub(crate) type Pointers = &'static [&'static str];

/// Where `null` may stand, what is not read, and where any name may stand.
fn exceptions(name: &str) -> (Pointers, Pointers, Pointers) {
    match name {
        "new flag" | "flag" | "new project" | "project" => (&["/description"], &[], &[]),
        "new strategy" | "default strategy" | "strategy" => (
            &["/title", "/disabled", "/parameters/rollout"],
            &[],
            &["/parameters"],
        ),
        "addStrategy" | "updateStrategy" => (
            &[
                "/payload/title",
                "/payload/disabled",
                "/payload/parameters/rollout",
            ],
            &[],
            &["/payload/parameters"],
        ),
        "segment" => (&["/description", "/project"], &[], &[]),
        "updateSegment" => (&["/payload/description", "/payload/project"], &[], &[]),
        "new environment" | "environment" | "rule" => (&["/requiredApprovals"], &[], &[]),
        "token" => (&["/expiresAt"], &[], &[]),
        "grants" => (&["/permissions/0/environment"], &[], &[]),
        "role" => (
            &["/description", "/permissions/0/environment"],
            &["/permissions/0/displayName", "/permissions/0/type"],
            &[],
        ),
        "group" => (&["/description", "/rootRole", "/mappingsSSO"], &[], &[]),
        "whole access" => (&[], &["/roles/0/name"], &[]),
        "state" => (&["/comment"], &[], &[]),
        "patch" => (&["/0/value"], &[], &[]),
        // every dependency goes
        "deleteDependency" => (&["/payload"], &[], &[]),
        _ => questions::exceptions(name),
    }
}

fn project() -> Value {
    json!({
        "name": "Shop",
        "description": "d",
        "defaultStickiness": "userId",
        "environments": ["qa"],
        "changeRequestEnvironments": [{ "name": "qa", "requiredApprovals": 2 }],
    })
}

fn environment() -> Value {
    json!({ "type": "test", "sortOrder": 1, "enabled": true, "requiredApprovals": 2 })
}

fn strategy_type() -> Value {
    json!({ "description": "d", "parameters": [{ "name": "p", "type": "string", "description": "d", "required": true }] })
}

fn user() -> Value {
    json!({ "username": "u", "email": "u@example.com", "name": "U", "password": "p", "rootRole": 2 })
}
