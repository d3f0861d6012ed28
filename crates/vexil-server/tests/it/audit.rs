//! The audit log is complete by construction: what an edit changes is told, whoever wrote the edit.

use std::collections::BTreeSet;
use std::sync::Arc;

use actix_web::http::Method;
use serde_json::json;
use vexil_access::{Grant, Group, GroupId, Permission, ProjectMode, Role, RoleId, RoleKind, UserId};
use vexil_domain::{
    ActivationStrategy, Actor, ActorId, Environment, FeatureFlag, FlagSettings, Project, ProjectEnvironment,
    Segment, SegmentId, StrategyType, Write,
};
use vexil_service::Transaction;
use vexil_store::{ApiToken, ApiTokenId, EventFilter, ProjectSettings, Setting, TokenKind, User};

use crate::support::{ADMIN, START, TestServer};
use crate::users::person;

/// The kinds of all entries, oldest first.
fn kinds(server: &TestServer) -> Vec<String> {
    let page = server.app().reader().events(&EventFilter::default()).unwrap();
    page.items
        .into_iter()
        .rev()
        .map(|event| event.event.kind)
        .collect()
}

/// What an edit leaves in the log that says not a word of the log itself.
fn left_by(server: &TestServer, edit: impl Fn(&mut Transaction<'_>)) -> Vec<String> {
    let earlier = kinds(server).len();
    let system = Actor {
        id: ActorId(-1),
        name: "system".to_owned(),
    };
    server
        .app()
        .edit_blocking(&system, |tx| {
            edit(tx);
            Ok(())
        })
        .unwrap();
    kinds(server).split_off(earlier)
}

fn project<'a>(tx: &'a mut Transaction<'_>) -> &'a mut Project {
    Arc::make_mut(tx.snapshot.projects.get_mut("default").unwrap())
}

fn token(id: i64) -> ApiToken {
    ApiToken {
        id: ApiTokenId(id),
        name: "by hand".to_owned(),
        secret_hash: [7; 32],
        sealed_secret: None,
        kind: TokenKind::Client,
        is_called_backend: false,
        environment: Some("development".into()),
        projects: Vec::new(),
        created_at: START,
        expires_at: None,
        seen_at: None,
    }
}

fn user(id: i64) -> User {
    User {
        username: Some("by-hand".to_owned()),
        ..User::new(UserId(id), RoleId::VIEWER, START)
    }
}

type Edit = fn(&mut Transaction<'_>);

/// Edits that no operation of the server makes, each with what it leaves in the log.
const EDITS: [(Edit, &[&str]); 20] = [
    (
        |tx| {
            drop(
                tx.snapshot
                    .flags
                    .insert("f".into(), Arc::new(FeatureFlag::new("f", "default", START))),
            )
        },
        &["feature-created"],
    ),
    (
        |tx| {
            let flag = Arc::make_mut(tx.snapshot.flags.get_mut("f").unwrap());
            let settings = FlagSettings {
                enabled: true,
                strategies: vec![ActivationStrategy::new("s", "default")],
                variants: Vec::new(),
            };
            flag.environments.insert("production".into(), Arc::new(settings));
        },
        &["feature-strategy-add", "feature-environment-enabled"],
    ),
    (
        |tx| Arc::make_mut(tx.snapshot.flags.get_mut("f").unwrap()).created_by = None,
        &[],
    ),
    (
        |tx| {
            let actor = Actor {
                id: ActorId(9),
                name: "nine".to_owned(),
            };
            Arc::make_mut(tx.snapshot.flags.get_mut("f").unwrap()).created_by = Some(actor);
        },
        &["feature-updated"],
    ),
    (
        |tx| {
            drop(tx.snapshot.segments.insert(
                SegmentId(1),
                Arc::new(Segment::new(SegmentId(1), "s", Vec::new())),
            ))
        },
        &["segment-created"],
    ),
    (|tx| project(tx).name = "new".to_owned(), &["project-updated"]),
    (
        |tx| {
            drop(
                project(tx)
                    .environments
                    .insert("qa".into(), ProjectEnvironment::default()),
            )
        },
        &["project-environment-added"],
    ),
    (
        |tx| {
            let rule = vexil_domain::ChangeRequestRule::requiring(2);
            project(tx).environments.get_mut("qa").unwrap().change_requests = Some(rule);
        },
        &["change-request-configuration-updated"],
    ),
    (
        |tx| {
            let qa = Environment {
                name: "qa".into(),
                kind: "test".to_owned(),
                sort_order: 1,
                enabled: true,
                protected: false,
                required_approvals: None,
            };
            tx.snapshot.environments.insert("qa".into(), Arc::new(qa));
        },
        &["environment-created"],
    ),
    (
        |tx| {
            let kind = StrategyType {
                name: "mine".to_owned(),
                display_name: None,
                title: None,
                description: String::new(),
                built_in: false,
                deprecated: false,
                parameters: Vec::new(),
            };
            tx.snapshot
                .strategy_types
                .insert("mine".to_owned(), Arc::new(kind));
        },
        &["strategy-created"],
    ),
    (|tx| tx.put_token(token(99)), &["api-token-created"]),
    (|tx| tx.remove_token(ApiTokenId(99)), &["api-token-deleted"]),
    (|tx| tx.put_user(user(99)), &["user-created"]),
    (
        |tx| {
            let mut user = user(99);
            user.root_role = RoleId::ADMIN;
            user.password_hash = Some("hash".to_owned());
            user.grants.insert(Grant {
                project: "default".into(),
                environment: None,
                permission: Permission::ApproveChangeRequest,
            });
            tx.put_user(user);
        },
        &["user-updated", "user-password-changed", "project-access-updated"],
    ),
    (|tx| tx.remove_user(UserId(99)), &["user-deleted"]),
    (
        |tx| {
            let role = Role::new(RoleId(101), RoleKind::CustomRoot, "r", "", []);
            tx.access_writes().roles.push(Write::Upsert(Arc::new(role)));
            tx.access_writes().groups.push(Write::Upsert(Arc::new(group())));
        },
        &["role-created", "group-created"],
    ),
    (
        |tx| {
            let mut group = group();
            group.members.insert(UserId(1));
            group.project_roles.insert(("default".into(), RoleId::OWNER));
            tx.access_writes().groups.push(Write::Upsert(Arc::new(group)));
        },
        &["group-updated", "project-access-updated"],
    ),
    (
        |tx| {
            tx.access_writes().roles.push(Write::Delete(RoleId(101)));
            tx.access_writes().groups.push(Write::Delete(GroupId(1)));
        },
        &["role-deleted", "group-deleted"],
    ),
    (
        |tx| {
            let settings = ProjectSettings {
                project: "default".into(),
                mode: ProjectMode::Private,
                feature_limit: None,
                naming: None,
                link_templates: Vec::new(),
            };
            tx.access_writes()
                .projects
                .push(Write::Upsert(Arc::new(settings)));
        },
        &["project-settings-updated"],
    ),
    (
        |tx| {
            let setting = Setting {
                name: "oidc".to_owned(),
                value: "very secret".to_owned(),
            };
            tx.access_writes().settings.push(Write::Upsert(Arc::new(setting)));
        },
        &["setting-updated"],
    ),
];

fn group() -> Group {
    Group {
        id: GroupId(1),
        name: "g".to_owned(),
        description: String::new(),
        root_role: None,
        external_names: BTreeSet::new(),
        members: BTreeSet::new(),
        project_roles: BTreeSet::new(),
    }
}

#[test]
fn a_new_kind_of_edit_is_audited_without_a_line_of_its_own() {
    let server = TestServer::new();
    for (number, (edit, expected)) in EDITS.into_iter().enumerate() {
        assert_eq!(left_by(&server, edit), *expected, "edit {number}");
    }
}

#[test]
fn an_edit_is_told_by_what_comes_of_it_and_not_by_its_steps() {
    let server = TestServer::new();
    let left = left_by(&server, |tx| {
        tx.put_token(token(99));
        tx.remove_token(ApiTokenId(99));
        let before = tx.snapshot.clone();
        project(tx).name = "new".to_owned();
        tx.snapshot = before;
        tx.put_user(user(98));
        tx.put_user(User {
            name: Some("Ada".to_owned()),
            ..user(98)
        });
    });
    assert_eq!(left, ["user-created"]);
}

#[actix_web::test]
async fn tokens_and_grants_that_go_with_an_environment_are_told() {
    let server = TestServer::new();
    let qa = json!({ "name": "qa", "type": "test" });
    server.post("/api/admin/environments", qa).await.ok();
    let used = json!({ "environment": "qa" });
    server
        .post("/api/admin/projects/default/environments", used)
        .await
        .ok();
    let body = json!({ "tokenName": "t", "type": "client", "environment": "qa", "projects": ["default"] });
    for _ in 0..2 {
        server.post("/api/admin/api-tokens", body.clone()).await.ok();
    }
    let ada = person(&server, "ada", "Viewer").await;
    crate::users::grant(&server, &ada, &[("APPROVE_CHANGE_REQUEST", Some("qa"))]).await;
    let earlier = kinds(&server).len();
    server.delete("/api/admin/environments/qa").await.ok();
    let mut left = kinds(&server).split_off(earlier);
    left.sort();
    assert_eq!(
        left,
        [
            "api-token-deleted",
            "api-token-deleted",
            "environment-deleted",
            "project-access-updated",
            "project-environment-removed",
        ]
    );
}

#[test]
fn tokens_that_the_operator_asks_for_are_told_as_the_systems() {
    let server = TestServer::new();
    let page = server.app().reader().events(&EventFilter::default()).unwrap();
    let created: Vec<_> = page
        .items
        .iter()
        .filter(|event| event.event.kind == "api-token-created")
        .collect();
    assert_eq!(created.len(), 4);
    for event in created {
        assert_eq!(event.event.actor.name, "system");
        let data = event.event.data.as_deref().unwrap();
        assert!(data.contains("\"secret\":\"***\""), "{data}");
    }
}

#[actix_web::test]
async fn no_secret_and_no_hash_gets_into_the_log() {
    let server = TestServer::new();
    let ada = person(&server, "ada", "Viewer").await;
    let path = format!("/api/admin/user-admin/{}/change-password", ada.id);
    let password = "Xy7!pqRstuvw9";
    server.post(&path, json!({ "password": password })).await.ok();
    let all = server
        .call(ADMIN, Method::GET, "/api/admin/events", None)
        .await
        .text;
    assert!(all.contains("user-password-changed"));
    for secret in [ada.token.as_str(), password, "argon2", ADMIN] {
        assert!(!all.contains(secret), "{secret}");
    }
}
