//! Roles, groups and settings come back as they were put in, and are followed.

use std::collections::BTreeSet;
use std::sync::Arc;

use vexil_access::{Group, GroupId, Role, RoleId, RoleKind};
use vexil_domain::Write;

use super::{Subject, sample};
use crate::{
    AccessTables, AccessWrites, Commit, CommitError, FlagNaming, ProjectSettings, SignUpLink, SignUpLinkId,
    Store, StoreError,
};

fn commit(store: &dyn Store, access: AccessWrites) -> Result<(), CommitError> {
    let expected = store.revision().unwrap().sequence;
    let commit = Commit {
        expected,
        access,
        ..Commit::default()
    };
    store.commit(&commit).map(drop)
}

fn put<K, V>(value: V) -> Write<K, V> {
    Write::Upsert(Arc::new(value))
}

/// One of everything with every field set, and one with all left out that may be.
fn everything() -> AccessWrites {
    let bare_group = Group {
        root_role: None,
        external_names: BTreeSet::new(),
        members: BTreeSet::new(),
        project_roles: BTreeSet::new(),
        ..sample::group(2)
    };
    let bare_settings = ProjectSettings {
        mode: vexil_access::ProjectMode::Open,
        feature_limit: None,
        naming: None,
        link_templates: Vec::new(),
        ..sample::project_settings("other")
    };
    let short_naming = ProjectSettings {
        naming: Some(FlagNaming::default()),
        ..sample::project_settings("third")
    };
    let bare_link = SignUpLink {
        sealed_secret: None,
        enabled: false,
        users: BTreeSet::new(),
        ..sample::sign_up_link(2)
    };
    let bare_role = Role::new(RoleId(102), RoleKind::CustomRoot, "", "", []);
    AccessWrites {
        roles: vec![put(sample::role(101)), put(bare_role)],
        groups: vec![put(sample::group(1)), put(bare_group)],
        projects: vec![
            put(sample::project_settings("shop")),
            put(bare_settings),
            put(short_naming),
        ],
        sign_up_links: vec![put(sample::sign_up_link(1)), put(bare_link)],
        settings: vec![put(sample::setting("größer")), put(sample::setting("x"))],
    }
}

/// They make no configuration.
pub fn every_field_of_roles_groups_and_settings_comes_back(subject: Subject) {
    let store = subject.store();
    commit(store, everything()).unwrap();
    let mut expected = AccessTables::default();
    expected.apply(&everything());
    let loaded = store.load().unwrap();
    assert_eq!(loaded.access, expected);
    assert_eq!((loaded.revision.sequence, loaded.revision.configuration), (1, 0));
}

/// Of several writes the last counts.
pub fn roles_groups_and_settings_are_replaced_and_taken_away(subject: Subject) {
    let store = subject.store();
    commit(store, everything()).unwrap();
    let renamed = Group {
        name: "other".to_owned(),
        ..sample::group(2)
    };
    let writes = AccessWrites {
        roles: vec![Write::Delete(RoleId(101)), Write::Delete(RoleId(999))],
        groups: vec![Write::Delete(GroupId(2)), put(renamed.clone())],
        projects: vec![Write::Delete("shop".into())],
        sign_up_links: vec![Write::Delete(SignUpLinkId(1))],
        settings: vec![put(sample::setting("x")), Write::Delete("x".to_owned())],
    };
    commit(store, writes).unwrap();
    let access = store.load().unwrap().access;
    assert_eq!(access.roles.keys().collect::<Vec<_>>(), [&RoleId(102)]);
    assert_eq!(*access.groups[&GroupId(2)], renamed);
    assert_eq!(access.groups.len(), 2);
    assert!(!access.projects.contains_key("shop") && access.projects.len() == 2);
    assert_eq!(access.sign_up_links.len(), 1);
    assert_eq!(access.settings.keys().collect::<Vec<_>>(), ["größer"]);
}

/// All of it, where any was touched; else nothing.
pub fn roles_groups_and_settings_are_followed_with_credentials(subject: Subject) {
    let store = subject.store();
    let earlier = store.load().unwrap();
    commit(store, everything()).unwrap();
    let one = AccessWrites {
        settings: vec![Write::Delete("x".to_owned())],
        ..AccessWrites::default()
    };
    commit(store, one).unwrap();
    commit(store, AccessWrites::default()).unwrap();
    let present = store.load().unwrap();
    let since = |sequence| store.credentials_since(sequence).unwrap().unwrap().access;
    assert_eq!(since(0).as_ref(), Some(&present.access));
    assert_eq!(since(1).as_ref(), Some(&present.access));
    assert_eq!((since(2), since(3)), (None, None));
    let mut followed = earlier;
    followed.apply(&store.changes_since(0).unwrap().unwrap());
    assert_eq!(followed, present);
}

/// All of a commit happens, or nothing.
pub fn a_stale_commit_leaves_roles_groups_and_settings_alone(subject: Subject) {
    let store = subject.store();
    commit(store, AccessWrites::default()).unwrap();
    let stale = Commit {
        access: everything(),
        ..Commit::default()
    };
    assert!(matches!(store.commit(&stale), Err(CommitError::Stale { .. })));
    assert_eq!(store.load().unwrap().access, AccessTables::default());
}

/// Every text is checked before anything is written.
pub fn nul_in_roles_groups_and_settings_is_refused(subject: Subject) {
    let store = subject.store();
    let nul = || "a\0b".to_owned();
    let role = Role::new(RoleId(101), RoleKind::CustomRoot, "a\0b", "", []);
    let group = Group {
        external_names: [nul()].into(),
        ..sample::group(1)
    };
    let mut project = sample::project_settings("shop");
    project.link_templates[0].url = nul();
    let link = SignUpLink {
        name: nul(),
        ..sample::sign_up_link(1)
    };
    let mut setting = sample::setting("x");
    setting.value = nul();
    let bad = [
        AccessWrites {
            roles: vec![put(role)],
            ..AccessWrites::default()
        },
        AccessWrites {
            groups: vec![put(group)],
            ..AccessWrites::default()
        },
        AccessWrites {
            projects: vec![put(project)],
            ..AccessWrites::default()
        },
        AccessWrites {
            sign_up_links: vec![put(link)],
            ..AccessWrites::default()
        },
        AccessWrites {
            settings: vec![put(setting)],
            ..AccessWrites::default()
        },
    ];
    for writes in bad {
        let outcome = commit(store, writes);
        assert!(
            matches!(outcome, Err(CommitError::Store(StoreError::Unstorable(_)))),
            "{outcome:?}"
        );
    }
    assert_eq!(store.load().unwrap().access, AccessTables::default());
}
