//! People with rights that are given and taken away, and what the test knows of them.

use std::collections::BTreeSet;

use actix_web::http::Method;
use serde_json::{Value, json};

use super::desk::{by, person, post, put};
use crate::chance::Chance;
use crate::roles::{MEMBER, OWNER};
use crate::support::{AnyService, ask};
use crate::users::Person;

/// A permission, in one environment or in all.
type Held = (&'static str, Option<&'static str>);

pub(crate) const ABOUT_CHANGES: [&str; 3] = [
    "APPROVE_CHANGE_REQUEST",
    "APPLY_CHANGE_REQUEST",
    "SKIP_CHANGE_REQUEST",
];

/// The roles in projects that each instance has beside those that every instance has.
const CUSTOM: [(&str, &[Held]); 4] = [
    ("approver", &[("APPROVE_CHANGE_REQUEST", Some("production"))]),
    (
        "releaser",
        &[
            ("APPROVE_CHANGE_REQUEST", None),
            ("APPLY_CHANGE_REQUEST", Some("production")),
        ],
    ),
    ("skipper", &[("SKIP_CHANGE_REQUEST", Some("production"))]),
    ("keeper", &[("PROJECT_USER_ACCESS_WRITE", None)]),
];

/// A role in the project `default`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    Owner,
    Member,
    Custom(usize),
}

impl Role {
    fn drawn(chance: &mut Chance) -> Self {
        match chance.below(6) {
            0 => Self::Owner,
            1 => Self::Member,
            // skipping is rare, or hardly anything would need an approval
            2 if chance.one_in(2) => Self::Custom(2),
            other => Self::Custom(other % 2 + if chance.one_in(4) { 2 } else { 0 }),
        }
    }

    fn held(self) -> &'static [Held] {
        match self {
            Self::Custom(at) => CUSTOM[at].1,
            Self::Owner | Self::Member => &[],
        }
    }

    /// Whether it lets somebody edit flags.
    fn edits(self) -> bool {
        matches!(self, Self::Owner | Self::Member)
    }
}

/// The roles and the group of an instance, as the test knows them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Office {
    custom: Vec<i64>,
    pub(crate) team: i64,
    team_roles: BTreeSet<Role>,
}

impl Office {
    pub(crate) async fn new(service: &impl AnyService) -> Self {
        let mut custom = Vec::new();
        for (name, held) in CUSTOM {
            let permissions = held
                .iter()
                .map(|(name, environment)| json!({ "name": name, "environment": environment }));
            let permissions: Vec<Value> = permissions.collect();
            let body = json!({ "name": name, "type": "custom", "permissions": permissions });
            let made = post(service, "/api/admin/roles", body).await.ok();
            custom.push(made["id"].as_i64().unwrap());
        }
        let made = post(
            service,
            "/api/admin/groups",
            json!({ "name": "team", "users": [] }),
        )
        .await
        .ok();
        let team = made["id"].as_i64().unwrap();
        Self {
            custom,
            team,
            team_roles: BTreeSet::new(),
        }
    }

    pub(crate) fn id(&self, role: Role) -> i64 {
        match role {
            Role::Owner => OWNER,
            Role::Member => MEMBER,
            Role::Custom(at) => self.custom[at],
        }
    }

    fn ids(&self, roles: &BTreeSet<Role>) -> Value {
        json!(roles.iter().map(|role| self.id(*role)).collect::<Vec<_>>())
    }

    /// Any role, by number.
    pub(crate) fn any(&self, chance: &mut Chance) -> i64 {
        let role = Role::drawn(chance);
        self.id(role)
    }

    /// Lets the group have other roles and other members.
    pub(crate) async fn gather(
        &mut self,
        service: &impl AnyService,
        people: &mut [Walker],
        chance: &mut Chance,
    ) {
        self.team_roles = (0..chance.below(2)).map(|_| Role::drawn(chance)).collect();
        for walker in people.iter_mut() {
            walker.rights.in_team = chance.one_in(3);
        }
        self.restore(service, people).await;
    }

    /// Brings the group to what the test knows of it.
    pub(crate) async fn restore(&self, service: &impl AnyService, people: &mut [Walker]) {
        let members = people.iter().filter(|walker| walker.rights.in_team);
        let members: Vec<Value> = members
            .map(|walker| json!({ "user": { "id": walker.person.id } }))
            .collect();
        let body = json!({ "name": "team", "users": members });
        put(service, &format!("/api/admin/groups/{}", self.team), body)
            .await
            .ok();
        let path = format!("/api/admin/projects/default/groups/{}/roles", self.team);
        put(service, &path, json!({ "roles": self.ids(&self.team_roles) }))
            .await
            .ok();
        for walker in people {
            let by_team = if walker.rights.in_team {
                self.team_roles.clone()
            } else {
                BTreeSet::new()
            };
            walker.rights.by_team = by_team;
        }
    }
}

/// What somebody may do in the project `default`. In the project `bank` only administrators may do anything.
#[derive(Debug, Default)]
pub(crate) struct Rights {
    pub(crate) admin: bool,
    editor: bool,
    held: BTreeSet<Held>,
    roles: BTreeSet<Role>,
    in_team: bool,
    by_team: BTreeSet<Role>,
}

impl Rights {
    pub(crate) fn in_production(&self, permission: &'static str) -> bool {
        let roles = self.roles.iter().chain(&self.by_team);
        let mut held = self.held.iter().chain(roles.flat_map(|role| role.held()));
        self.admin
            || held.any(|(name, environment)| {
                *name == permission && environment.is_none_or(|it| it == "production")
            })
    }

    /// Whether they may give others access.
    pub(crate) fn keeps(&self) -> bool {
        let keeps = |role: &Role| matches!(role, Role::Owner | Role::Custom(3));
        self.roles.iter().chain(&self.by_team).any(keeps)
    }

    /// Whether they may edit anything in the project.
    pub(crate) fn edits(&self) -> bool {
        self.admin || self.editor || self.roles.iter().chain(&self.by_team).any(|role| role.edits())
    }

    fn drawn(chance: &mut Chance) -> BTreeSet<Held> {
        let mut held = BTreeSet::new();
        for permission in ABOUT_CHANGES {
            let often = if permission.starts_with("SKIP") { 4 } else { 2 };
            if chance.one_in(often) {
                held.insert((
                    permission,
                    *chance.pick(&[None, Some("production"), Some("production"), Some("development")]),
                ));
            }
        }
        held
    }
}

/// How somebody shows who they are.
#[derive(Debug, Clone)]
pub(crate) enum Shown {
    Token(String),
    /// The cookie of a session.
    Cookie(String),
}

impl Shown {
    pub(crate) fn header(&self) -> (&'static str, &str) {
        match self {
            Self::Token(token) => ("authorization", token),
            Self::Cookie(cookie) => ("cookie", cookie),
        }
    }
}

pub(crate) struct Walker {
    pub(crate) person: Person,
    pub(crate) rights: Rights,
    /// All ways in which they show who they are; the first is their token.
    pub(crate) shown: Vec<Shown>,
}

const ROLES: [&str; 5] = ["Editor", "Editor", "Viewer", "Viewer", "Admin"];

impl Walker {
    /// Somebody new, who has the rights that chance gives.
    pub(crate) async fn new(
        service: &impl AnyService,
        office: &Office,
        number: usize,
        role: &str,
        chance: &mut Chance,
    ) -> Self {
        let name = format!("person-{number}");
        let person = person(service, &name, role).await;
        let mut walker = Self {
            shown: vec![Shown::Token(person.token.clone())],
            person,
            rights: Rights::default(),
        };
        walker.is_now(role);
        walker.sign_in(service).await;
        walker.grant(service, office, chance).await;
        walker
    }

    fn is_now(&mut self, role: &str) {
        (self.rights.admin, self.rights.editor) = (role == "Admin", role == "Editor");
    }

    /// A session, and another token; somebody who has tried too often goes without the session.
    pub(crate) async fn sign_in(&mut self, service: &impl AnyService) {
        let body = json!({ "token": self.person.token }).to_string();
        let headers = [("content-type", "application/json")];
        let answer = ask(
            service,
            Method::POST,
            crate::sign_in::LOGIN,
            &headers,
            body.into_bytes(),
        )
        .await;
        self.shown.truncate(1);
        match answer.header("set-cookie") {
            Some(set) => self
                .shown
                .push(Shown::Cookie(set.split(';').next().unwrap().to_owned())),
            None => assert_eq!(answer.status, 429, "{}", answer.text),
        }
        let body = json!({ "description": "another", "expiresAt": "2027-06-01T00:00:00Z" });
        let made = by(
            service,
            &self.person.token,
            Method::POST,
            "/api/admin/user/tokens",
            &body,
        )
        .await;
        if made.status < 300 {
            self.shown
                .push(Shown::Token(made.json()["secret"].as_str().unwrap().to_owned()));
        }
    }

    /// Others rights in the project: single permissions, or roles.
    pub(crate) async fn grant(&mut self, service: &impl AnyService, office: &Office, chance: &mut Chance) {
        self.rights.held = if chance.one_in(3) {
            BTreeSet::new()
        } else {
            Rights::drawn(chance)
        };
        self.rights.roles = (0..chance.below(3)).map(|_| Role::drawn(chance)).collect();
        self.restore(service, office).await;
    }

    /// Brings the rights in the project to what the test knows of them.
    pub(crate) async fn restore(&self, service: &impl AnyService, office: &Office) {
        let here = "/api/admin/projects/default";
        let permissions =
            self.rights.held.iter().map(
                |(permission, environment)| json!({ "permission": permission, "environment": environment }),
            );
        let permissions: Vec<Value> = permissions.collect();
        let path = format!("{here}/access/users/{}", self.person.id);
        put(service, &path, json!({ "permissions": permissions }))
            .await
            .ok();
        let path = format!("{here}/users/{}/roles", self.person.id);
        put(service, &path, json!({ "roles": office.ids(&self.rights.roles) }))
            .await
            .ok();
    }

    /// Another root role.
    pub(crate) async fn promote(&mut self, service: &impl AnyService, chance: &mut Chance) {
        let role = *chance.pick(&ROLES);
        let path = format!("/api/admin/user-admin/{}", self.person.id);
        put(service, &path, json!({ "rootRole": role })).await.ok();
        self.is_now(role);
    }
}
