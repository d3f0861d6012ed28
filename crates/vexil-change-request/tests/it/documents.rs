//! Changes as Unleash's documents, and change requests as they are stored.

use proptest::prelude::*;
use time::Duration;
use vexil_change_request::*;
use vexil_domain::*;

use crate::people::demand;
use crate::world::*;

#[test]
fn documents_of_all_actions_are_read_and_written_as_they_came() {
    let documents = [
        r#"{"action":"updateEnabled","payload":{"enabled":true,"shouldActivateDisabledStrategies":false}}"#,
        r#"{"action":"addStrategy","payload":{"name":"flexibleRollout","title":"Norway 20%","parameters":{"groupId":"checkout-v2","rollout":"20","stickiness":"userId"},"constraints":[{"contextName":"country","operator":"IN","values":["NO"]}],"segments":[3],"variants":[]}}"#,
        r#"{"action":"updateStrategy","payload":{"id":"01J8ZK3T4X","name":"flexibleRollout","disabled":false,"parameters":{"groupId":"checkout-v2","rollout":"55","stickiness":"userId"},"constraints":[],"segments":[3,4],"variants":[]}}"#,
        r#"{"action":"deleteStrategy","payload":{"id":"01J8ZK3T4X"}}"#,
        r#"{"action":"reorderStrategy","payload":[{"id":"01J8ZK3T4X","sortOrder":1},{"id":"01J8ZK9Q2M","sortOrder":0}]}"#,
        r#"{"action":"patchVariant","payload":{"variants":[{"name":"blue","weight":500,"weightType":"variable","stickiness":"default"}]}}"#,
        r#"{"action":"archiveFeature"}"#,
        r#"{"action":"addDependency","payload":{"feature":"payments","enabled":true,"variants":["stripe"]}}"#,
        r#"{"action":"deleteDependency"}"#,
        r#"{"action":"updateSegment","payload":{"id":3,"name":"beta-users","description":"","project":"shop","constraints":[{"contextName":"userId","operator":"IN","values":["7","8"]}]}}"#,
        r#"{"action":"deleteSegment","payload":{"id":3}}"#,
        r#"{"action":"startMilestone","payload":{"planId":"P","milestoneId":"M"}}"#,
    ];
    for text in documents {
        let change: Change = serde_json::from_str(text).expect(text);
        assert_eq!(serde_json::to_string(&change).unwrap(), text);
    }
    let actions: Vec<&str> = Change::ACTIONS.to_vec();
    assert!(
        actions
            .iter()
            .all(|action| documents.iter().any(|text| text.contains(action)))
    );
}

#[test]
fn nulls_echoed_snapshots_and_odd_parameters_are_read() {
    let text = r#"{"action":"updateStrategy","payload":{"id":"s","title":null,"disabled":null,"segments":null,
        "variants":null,"constraints":null,"parameters":{"rollout":50,"x":null,"y":true},"snapshot":{"id":"s"}}}"#;
    let change: Change = serde_json::from_str(text).unwrap();
    let expected = StrategyUpdate {
        parameters: [("rollout", "50"), ("x", ""), ("y", "true")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        ..StrategyUpdate::new("s")
    };
    assert_eq!(change, Change::UpdateStrategy(expected));
    let text = r#"{"action":"addDependency","payload":{"feature":"p","enabled":null,"variants":null}}"#;
    let change: Change = serde_json::from_str(text).unwrap();
    assert_eq!(change, depend_on("p"));
}

#[test]
fn parameters_are_a_map_also_where_there_are_none() {
    let written = serde_json::to_value(ActivationStrategy::new("s", "default")).unwrap();
    assert_eq!(written["parameters"], serde_json::json!({}));
    let mut given = written.clone();
    given["parameters"] = serde_json::json!([["rollout", "50"]]);
    assert!(serde_json::from_value::<ActivationStrategy>(given).is_err());
    let twice = r#"{"id":"s","name":"default","parameters":{"b":"1","a":"2","b":"3"}}"#;
    let read: ActivationStrategy = serde_json::from_str(twice).unwrap();
    let parameters = read.parameters.iter().map(|(name, value)| (&**name, &**value));
    assert!(parameters.eq([("a", "2"), ("b", "3")]));
}

#[test]
fn what_is_no_change_says_why() {
    let read = |action: &str, payload| Change::from_document(action, payload).unwrap_err().to_string();
    assert!(
        read("explode", None).starts_with("`explode` is no action of a change; there are: updateEnabled,")
    );
    assert_eq!(
        read("deleteStrategy", None),
        "the action `deleteStrategy` needs a payload"
    );
    assert_eq!(
        read("updateEnabled", Some("null")),
        "the action `updateEnabled` needs a payload"
    );
    let error = serde_json::from_str::<Change>(r#"{"action":"deleteSegment","payload":{}}"#).unwrap_err();
    assert!(error.to_string().contains("missing field `id`"), "{error}");
}

#[test]
fn a_request_survives_storage_in_every_state() {
    let who = Caller {
        actor: actor(1),
        admin: true,
        permissions: Permissions::default(),
    };
    let opening = Opening {
        id: ChangeRequestId(7),
        project: "shop".into(),
        environment: "production".into(),
        min_approvals: 1,
    };
    let changes = vec![
        ("checkout", delete("narrow")),
        ("payments", on()),
        ("banner", depend_on("payments")),
        ("banner", Change::PatchVariant { variants: Vec::new() }),
        ("", Change::DeleteSegment { id: SegmentId(1) }),
        (
            "",
            Change::Unsupported {
                action: "startMilestone".to_owned(),
                payload: Some(r#"{"planId": 1e400}"#.to_owned()),
            },
        ),
    ];
    let mut request = ChangeRequest::open(opening, planned(&sample(), changes), &who, NOW)
        .unwrap()
        .request;
    request = request.rename("title", &who, NOW).unwrap().request;
    request = request.comment(CommentId(1), "hello", &who, NOW).unwrap().request;
    request = request.request_reviewers(&[ActorId(2)], &who).unwrap().request;
    let at = NOW + Duration::DAY;
    let steps = [
        Transition::InReview,
        Transition::Approved,
        Transition::Scheduled { at },
    ];
    for transition in steps {
        check_stored(&request);
        request = request
            .transition(transition, &who, &demand(), NOW + Duration::nanoseconds(123))
            .unwrap()
            .request;
    }
    check_stored(&request);
    check_stored(&request.suspend("edited").unwrap().request);
    check_stored(
        &request
            .transition(Transition::Rejected, &who, &demand(), NOW)
            .unwrap()
            .request,
    );
}

fn check_stored(request: &ChangeRequest) {
    let text = serde_json::to_string(request).unwrap();
    assert_eq!(
        serde_json::from_str::<ChangeRequest>(&text).unwrap(),
        *request,
        "{text}"
    );
}

proptest! {
    #[test]
    fn random_requests_survive_storage(
        request in arb_snapshot().prop_flat_map(|snapshot| {
            vexil_proptest::arb_change_request(&snapshot, &scope())
        })
    ) {
        let text = serde_json::to_string(&request).unwrap();
        prop_assert_eq!(serde_json::from_str::<ChangeRequest>(&text).unwrap(), request);
    }
}

/// An addition of a strategy whose rollout is out of range.
const OUT_OF_RANGE: &str =
    r#"{"action":"addStrategy","payload":{"name":"flexibleRollout","parameters":{"rollout":"101"}}}"#;

#[test]
fn a_change_is_checked_when_it_is_read_and_a_store_remembers_that_it_was() {
    let good = CheckedChange::new(Change::ArchiveFeature);
    let kept = serde_json::to_string(&good).unwrap();
    assert_eq!(kept, r#"{"action":"archiveFeature","checked":1}"#);
    assert_eq!(serde_json::from_str::<CheckedChange>(&kept).unwrap(), good);
    let bad: CheckedChange = serde_json::from_str(OUT_OF_RANGE).unwrap();
    assert_eq!(bad.problems().len(), 1);
    assert_eq!(bad.problems()[0].path, "/parameters/rollout");
    // what is wrong with a change is found again
    let kept = serde_json::to_string(&bad).unwrap();
    assert!(!kept.contains("checked"), "{kept}");
    assert_eq!(serde_json::from_str::<CheckedChange>(&kept).unwrap(), bad);
}

#[test]
fn what_was_checked_by_these_rules_is_not_checked_again_and_by_others_it_is() {
    let marked = |rules: u32| OUT_OF_RANGE.replacen('{', &format!("{{\"checked\":{rules},"), 1);
    let believed: CheckedChange = serde_json::from_str(&marked(1)).unwrap();
    assert_eq!(believed.problems(), []);
    let outcome = overlay(
        &sample(),
        &scope(),
        &[PlannedChange {
            change: believed,
            ..planned(&sample(), vec![("payments", on())]).remove(0)
        }],
    );
    assert_eq!(
        blocks(&outcome),
        [],
        "to lay a change over a snapshot checks nothing anew"
    );
    for rules in [0, 2] {
        let other: CheckedChange = serde_json::from_str(&marked(rules)).unwrap();
        assert_eq!(other.problems().len(), 1, "{rules}");
    }
}
