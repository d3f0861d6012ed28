//! Values with something in every field, for the cases and for tests of servers.

use std::collections::BTreeMap;
use std::sync::Arc;

use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use vexil_access::{
    Grant, Group, GroupId, Permission, ProjectMode, Role, RoleId, RoleKind, RolePermission, UserId,
};
use vexil_change_request::ChangeRequestId;
use vexil_domain::{
    ActivationStrategy, Actor, ActorId, ChangeRequestRule, ChangedEffect, Constraint, Dependency,
    Environment, FeatureFlag, FlagSettings, Operator, Payload, Project, ProjectEnvironment, Segment,
    SegmentId, SettingsByEnvironment, Snapshot, Stickiness, StrategyParameter, StrategyType, TagType,
    Variant, VariantOverride, WeightType,
};

use crate::{
    ApiToken, ApiTokenId, ExternalIdentity, Feedback, FlagNaming, LinkTemplate, NewEvent, PersonalToken,
    PersonalTokenId, ProjectSettings, SecretHash, Setting, SignUpLink, SignUpLinkId, TokenKind, User,
};

pub use super::sample_change_request::{change_request, draft};
pub use super::sample_tags::{tag_type, tags};
pub use super::sample_upkeep::{favorites, noted};

/// The instant around which everything happens.
pub const NOW: OffsetDateTime = datetime!(2026-11-27 21:03:20.123456 UTC);

/// An actor of this id.
#[must_use]
pub fn actor(id: i64) -> Actor {
    Actor {
        id: ActorId(id),
        name: format!("Ünal \"{id}\" O'Neil"),
    }
}

/// A constraint with every field set.
#[must_use]
pub fn constraint() -> Constraint {
    Constraint {
        values: vec!["NO".to_owned(), "  SE, DK ".to_owned(), String::new()],
        value: Some("1.2.3".to_owned()),
        inverted: Some(true),
        case_insensitive: Some(false),
        ..Constraint::new("größe", Operator::StrContains)
    }
}

/// A variant with every field set.
#[must_use]
pub fn variant(name: &str) -> Variant {
    Variant {
        name: name.to_owned(),
        weight: 333,
        weight_type: WeightType::Fix,
        stickiness: Some(Stickiness::Field("plan".to_owned())),
        payload: Some(Payload {
            kind: "json".to_owned(),
            value: "{\"a\": \"b\\n'\"}".to_owned(),
        }),
        overrides: vec![VariantOverride {
            context_name: "userId".to_owned(),
            values: vec!["7".to_owned(), String::new()],
        }],
    }
}

/// A strategy with every field set.
#[must_use]
pub fn strategy(id: &str) -> ActivationStrategy {
    ActivationStrategy {
        title: Some("Norway ½".to_owned()),
        disabled: true,
        sort_order: -3,
        constraints: vec![
            constraint(),
            Constraint::new("x", Operator::Unknown("ODD".into())),
        ],
        segments: vec![SegmentId(9), SegmentId(2)],
        variants: vec![variant("b"), variant("a")],
        ..ActivationStrategy::new(id, "flexibleRollout")
            .with_parameter("rollout", "33")
            .with_parameter("", "")
    }
}

/// A flag with every field set, in two environments.
#[must_use]
pub fn flag(name: &str) -> FeatureFlag {
    let settings = |suffix: &str| FlagSettings {
        enabled: true,
        strategies: vec![
            strategy(&format!("{name}-{suffix}-2")),
            strategy(&format!("{name}-{suffix}-1")),
        ],
        variants: vec![variant("z"), variant("y")],
    };
    FeatureFlag {
        kind: "experiment".into(),
        description: Some("What it's for\n\"in words\"".to_owned()),
        stale: true,
        impression_data: true,
        created_by: Some(actor(-42)),
        archived_at: Some(NOW + Duration::HOUR),
        dependencies: vec![
            Dependency {
                parent: "payments".into(),
                enabled: true,
                variants: vec!["stripe".to_owned(), "a,b".to_owned()],
            },
            Dependency {
                parent: "billing".into(),
                enabled: false,
                variants: Vec::new(),
            },
        ],
        environments: SettingsByEnvironment::from([
            ("development".into(), Arc::new(settings("dev"))),
            ("production".into(), Arc::new(settings("prod"))),
            ("empty".into(), Arc::default()),
        ]),
        tags: tags(),
        ..noted(FeatureFlag::new(name, "shop", NOW))
    }
}

/// A project with every field set.
#[must_use]
pub fn project(id: &str) -> Project {
    let ruled = ProjectEnvironment {
        change_requests: Some(ChangeRequestRule {
            required_approvals: 10,
            changed_effect: ChangedEffect::Warn,
        }),
        default_strategy: Some(strategy("")),
    };
    Project {
        id: id.into(),
        name: "Der Laden".to_owned(),
        description: Some(String::new()),
        created_at: NOW,
        default_stickiness: Stickiness::Field("sessionId".to_owned()),
        environments: BTreeMap::from([
            ("production".into(), ruled.clone()),
            ("development".into(), ProjectEnvironment::default()),
        ]),
        left_environments: BTreeMap::from([("qa".into(), ruled)]),
    }
}

/// An environment with every field set.
#[must_use]
pub fn environment(name: &str) -> Environment {
    Environment {
        name: name.into(),
        kind: "preproduction".to_owned(),
        sort_order: i32::MIN,
        enabled: true,
        protected: true,
        required_approvals: Some(u32::MAX),
    }
}

/// A segment with every field set.
#[must_use]
pub fn segment(id: i64) -> Segment {
    Segment {
        description: Some("who pays".to_owned()),
        project: Some("shop".into()),
        created_by: Some("admin".to_owned()),
        created_at: Some(NOW),
        ..Segment::new(
            SegmentId(id),
            format!("payers {id}"),
            vec![constraint(), constraint()],
        )
    }
}

/// A strategy type with every field set.
#[must_use]
pub fn strategy_type(name: &str) -> StrategyType {
    let parameter = |name: &str, required| StrategyParameter {
        name: name.to_owned(),
        kind: "percentage".to_owned(),
        description: "how many".to_owned(),
        required,
    };
    StrategyType {
        name: name.to_owned(),
        display_name: Some("By the moon".to_owned()),
        title: Some("größe, \"a\"".to_owned()),
        description: "full or new".to_owned(),
        built_in: true,
        deprecated: true,
        parameters: vec![parameter("share", true), parameter("phase", false)],
    }
}

/// A snapshot with something of everything.
#[must_use]
pub fn snapshot() -> Snapshot {
    Snapshot {
        projects: [project("shop"), project("default")]
            .map(|it| (it.id.clone(), Arc::new(it)))
            .into(),
        environments: [environment("production"), environment("development")]
            .map(|it| (it.name.clone(), Arc::new(it)))
            .into(),
        flags: [
            flag("checkout"),
            flag("payments"),
            FeatureFlag::new("plain", "default", NOW),
        ]
        .map(|it| (it.name.clone(), Arc::new(it)))
        .into(),
        segments: [
            segment(2),
            segment(9),
            Segment::new(SegmentId(4), "all", Vec::new()),
        ]
        .map(|it| (it.id, Arc::new(it)))
        .into(),
        strategy_types: [strategy_type("moon"), strategy_type("tide")]
            .map(|it| (it.name.clone(), Arc::new(it)))
            .into(),
        tag_types: [tag_type("team"), TagType::new("simple")]
            .map(|it| (it.name.clone(), Arc::new(it)))
            .into(),
    }
}

/// A token with every field set.
#[must_use]
pub fn token(id: i64) -> ApiToken {
    let mut secret_hash = [0xA5; 32];
    secret_hash[..8].copy_from_slice(&id.to_be_bytes());
    ApiToken {
        id: ApiTokenId(id),
        name: "ci 'bot'".to_owned(),
        secret_hash,
        sealed_secret: Some(vec![0, 1, 255]),
        kind: TokenKind::Frontend,
        is_called_backend: false,
        environment: Some("production".into()),
        projects: vec!["shop".into(), "default".into()],
        created_at: NOW,
        expires_at: Some(NOW + Duration::WEEK),
        seen_at: Some(NOW + Duration::MINUTE),
    }
}

/// A user with every field set, two tokens and two grants. Ids of tokens are ten times the user's, and one more.
#[must_use]
pub fn user(id: i64) -> User {
    let token = |token: i64| PersonalToken {
        id: PersonalTokenId(token),
        description: "laptop 'größer'".to_owned(),
        secret_hash: [u8::try_from(token).unwrap_or(255); 32],
        created_at: NOW,
        expires_at: NOW + Duration::WEEK,
        seen_at: Some(NOW + Duration::MINUTE),
    };
    let grant = |permission, environment: Option<&str>| Grant {
        project: "shop".into(),
        environment: environment.map(Into::into),
        permission,
    };
    User {
        id: UserId(id),
        username: Some(format!("user-{id}")),
        email: Some(format!("user-{id}@example.com")),
        name: Some("Ada 'Größer'".to_owned()),
        root_role: RoleId(101),
        password_hash: Some("$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA".to_owned()),
        created_at: NOW,
        seen_at: Some(NOW + Duration::MINUTE),
        tokens: vec![token(id * 10), token(id * 10 + 1)],
        grants: [
            grant(Permission::ApproveChangeRequest, Some("production")),
            grant(Permission::SkipChangeRequest, None),
        ]
        .into(),
        project_roles: [("shop".into(), RoleId::OWNER), ("größer".into(), RoleId(101))].into(),
        external: Some(ExternalIdentity {
            issuer: "https://id.example.com".to_owned(),
            subject: "größer-7".to_owned(),
        }),
        closed_notices: ["welcome".to_owned(), "größer".to_owned()].into(),
        feedback: [
            (
                "pages".to_owned(),
                Feedback {
                    given_at: Some(NOW),
                    never_show: true,
                },
            ),
            ("other".to_owned(), Feedback::default()),
        ]
        .into(),
        favorites: favorites(),
    }
}

/// A custom role of a project with permissions everywhere and in one environment.
#[must_use]
pub fn role(id: i64) -> Role {
    let held = |permission, environment: Option<&str>| RolePermission {
        permission,
        environment: environment.map(Into::into),
    };
    Role::new(
        RoleId(id),
        RoleKind::CustomProject,
        "Operator 'größer'",
        "turns flags on",
        [
            held(Permission::CreateFeature, None),
            held(Permission::UpdateFeatureEnvironment, Some("production")),
        ],
    )
}

/// A group with every field set.
#[must_use]
pub fn group(id: i64) -> Group {
    Group {
        id: GroupId(id),
        name: "Team 'größer'".to_owned(),
        description: "who sells".to_owned(),
        root_role: Some(RoleId::EDITOR),
        external_names: ["sales".to_owned(), "größer".to_owned()].into(),
        members: [UserId(1), UserId(7)].into(),
        project_roles: [("shop".into(), RoleId::MEMBER)].into(),
    }
}

/// Settings of a project with every field set.
#[must_use]
pub fn project_settings(project: &str) -> ProjectSettings {
    ProjectSettings {
        project: project.into(),
        mode: ProjectMode::Private,
        feature_limit: Some(12),
        naming: Some(FlagNaming {
            pattern: "[a-z]+".to_owned(),
            example: Some("abc".to_owned()),
            description: Some("small letters, größer".to_owned()),
        }),
        link_templates: vec![LinkTemplate {
            title: Some("ticket".to_owned()),
            url: "https://example.com/{{feature}}".to_owned(),
        }],
    }
}

/// A link for signing up with every field set.
#[must_use]
pub fn sign_up_link(id: i64) -> SignUpLink {
    SignUpLink {
        id: SignUpLinkId(id),
        secret_hash: SecretHash([7; 32]),
        sealed_secret: Some(vec![1, 0, 255]),
        name: "new people".to_owned(),
        enabled: true,
        role: RoleId::VIEWER,
        created_by: "ada 'größer'".to_owned(),
        created_at: NOW,
        expires_at: NOW + Duration::WEEK,
        users: [UserId(3)].into(),
    }
}

/// A setting.
#[must_use]
pub fn setting(name: &str) -> Setting {
    Setting {
        name: name.to_owned(),
        value: "{\"größer\": 1}".to_owned(),
    }
}

/// An event with every field set.
#[must_use]
pub fn event(kind: &str) -> NewEvent {
    NewEvent {
        kind: kind.to_owned(),
        created_at: NOW,
        actor: actor(7),
        project: Some("shop".into()),
        environment: Some("production".into()),
        flag: Some("checkout".into()),
        data: Some("{\"name\": \"größer\"}".to_owned()),
        pre_data: Some("{}".to_owned()),
        change_request: Some(ChangeRequestId(3)),
    }
}
