//! Dependencies and archiving.

use vexil_change_request::*;
use vexil_domain::*;

use crate::world::*;

fn parents(snapshot: &Snapshot, flag: &str) -> Vec<String> {
    let dependencies = snapshot.flags[flag].dependencies.iter();
    dependencies
        .map(|dependency| dependency.parent.to_string())
        .collect()
}

fn family() -> Snapshot {
    let made = lay(&sample(), vec![("checkout", depend_on("payments"))]);
    assert!(blocks(&made).is_empty());
    made.proposed
}

#[test]
fn a_flag_has_one_parent_and_the_last_one_named_stays() {
    let outcome = lay(&family(), vec![("checkout", depend_on("banner"))]);
    assert_eq!(parents(&outcome.proposed, "checkout"), ["banner"]);
}

#[test]
fn a_parent_that_must_be_off_has_no_variants_to_choose_from() {
    let dependency = Dependency {
        parent: "payments".into(),
        enabled: false,
        variants: vec!["blue".to_owned()],
    };
    let outcome = lay(&sample(), vec![("checkout", Change::AddDependency(dependency))]);
    assert!(
        outcome.proposed.flags["checkout"].dependencies[0]
            .variants
            .is_empty()
    );
}

#[test]
fn a_parent_must_be_another_live_flag_of_the_project_without_a_parent() {
    let changes = [
        ("banner", "banner", ProblemCode::DependencySelf),
        ("banner", "nope", ProblemCode::DependencyParentMissing),
        ("banner", "old", ProblemCode::DependencyParentArchived),
        ("banner", "theirs", ProblemCode::DependencyOtherProject),
        ("banner", "checkout", ProblemCode::DependencyTransitive),
        ("payments", "banner", ProblemCode::DependencyTransitive),
    ];
    for (child, parent, code) in changes {
        let outcome = lay(&family(), vec![(child, depend_on(parent))]);
        assert_eq!(blocks(&outcome), [(1, code)], "{child} on {parent}");
        assert_eq!(code.kind(), ErrorKind::Rule);
        assert_eq!(outcome.proposed, family());
    }
}

#[test]
fn a_chain_cannot_be_made_within_one_request_either() {
    let up = vec![
        ("checkout", depend_on("payments")),
        ("banner", depend_on("checkout")),
    ];
    let down = vec![
        ("banner", depend_on("checkout")),
        ("checkout", depend_on("payments")),
    ];
    for changes in [up, down] {
        let outcome = lay(&sample(), changes);
        assert_eq!(blocks(&outcome), [(2, ProblemCode::DependencyTransitive)]);
    }
}

#[test]
fn a_dependency_is_taken_away_whole_or_by_parent() {
    let all = Change::DeleteDependency { parent: None };
    let one = |parent: &str| Change::DeleteDependency {
        parent: Some(parent.into()),
    };
    for change in [all.clone(), one("payments")] {
        let outcome = lay(&family(), vec![("checkout", change)]);
        assert!(parents(&outcome.proposed, "checkout").is_empty());
    }
    for (flag, change) in [("banner", all), ("checkout", one("banner"))] {
        let outcome = lay(&family(), vec![(flag, change)]);
        assert_eq!(blocks(&outcome), [(1, ProblemCode::DependencyMissing)]);
    }
}

#[test]
fn an_archived_flag_lets_go_of_its_parent() {
    let outcome = lay(&family(), vec![("checkout", Change::ArchiveFeature)]);
    assert_eq!(outcome.proposed.flags["checkout"].archived_at, Some(NOW));
    assert!(parents(&outcome.proposed, "checkout").is_empty());
}

#[test]
fn a_parent_is_archived_only_with_its_children_or_without_them() {
    let alone = lay(&family(), vec![("payments", Change::ArchiveFeature)]);
    assert_eq!(blocks(&alone), [(1, ProblemCode::ArchiveHasChildren)]);
    assert_eq!(alone.proposed, family());
    let together = vec![
        ("payments", Change::ArchiveFeature),
        ("checkout", Change::ArchiveFeature),
    ];
    assert!(blocks(&lay(&family(), together)).is_empty());
    let orphaned = vec![
        ("payments", Change::ArchiveFeature),
        ("checkout", Change::DeleteDependency { parent: None }),
    ];
    assert!(blocks(&lay(&family(), orphaned)).is_empty());
}

#[test]
fn a_parent_archived_while_the_request_waits_blocks_it_and_nothing_else() {
    let then = sample();
    let changes = planned(
        &then,
        vec![("checkout", depend_on("payments")), ("banner", off())],
    );
    let live = lay(&then, vec![("payments", Change::ArchiveFeature)]).proposed;
    let outcome = overlay(&live, &scope(), &changes);
    assert_eq!(blocks(&outcome), [(1, ProblemCode::DependencyParentArchived)]);
    assert!(parents(&outcome.proposed, "checkout").is_empty());
    assert!(!settings(&outcome.proposed, "banner").enabled);
}

#[test]
fn nothing_happens_to_a_flag_after_it_was_archived() {
    let changes = vec![
        ("banner", Change::ArchiveFeature),
        ("banner", on()),
        ("checkout", depend_on("banner")),
    ];
    let outcome = lay(&sample(), changes);
    assert_eq!(
        blocks(&outcome),
        [
            (2, ProblemCode::FlagArchived),
            (3, ProblemCode::DependencyParentArchived)
        ]
    );
}

#[test]
fn archiving_twice_in_one_request_is_a_note() {
    let changes = vec![
        ("banner", Change::ArchiveFeature),
        ("banner", Change::ArchiveFeature),
    ];
    assert_eq!(
        codes(&lay(&sample(), changes)),
        [(1, ProblemCode::DuplicateChange)]
    );
}

#[test]
fn an_archived_flag_that_still_names_its_parent_holds_nothing_up() {
    let mut snapshot = family();
    let checkout = std::sync::Arc::make_mut(snapshot.flags.get_mut("checkout").unwrap());
    checkout.archived_at = Some(NOW);
    let archived = lay(&snapshot, vec![("payments", Change::ArchiveFeature)]);
    assert!(blocks(&archived).is_empty());
    let given_a_parent = lay(&snapshot, vec![("payments", depend_on("banner"))]);
    assert!(blocks(&given_a_parent).is_empty());
}
