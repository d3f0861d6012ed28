//! Tests of JSON Patch: the examples of RFC 6902, and its refusals.

use serde_json::{Value, json};

use super::{PatchError, apply_patch, read_patch};

fn patched(document: Value, patch: Value) -> Result<Value, PatchError> {
    apply_patch(&document, &read_patch(&patch).unwrap())
}

#[test]
fn each_operation_does_what_the_standard_says() {
    let cases = [
        (
            json!({"a": 1}),
            json!([{"op": "add", "path": "/b", "value": 2}]),
            json!({"a": 1, "b": 2}),
        ),
        (
            json!({"a": [1, 3]}),
            json!([{"op": "add", "path": "/a/1", "value": 2}]),
            json!({"a": [1, 2, 3]}),
        ),
        (
            json!({"a": [1]}),
            json!([{"op": "add", "path": "/a/-", "value": [2]}]),
            json!({"a": [1, [2]]}),
        ),
        (
            json!({"a": 1, "b": 2}),
            json!([{"op": "remove", "path": "/b"}]),
            json!({"a": 1}),
        ),
        (
            json!({"a": [1, 2, 3]}),
            json!([{"op": "remove", "path": "/a/1"}]),
            json!({"a": [1, 3]}),
        ),
        (
            json!({"a": 1}),
            json!([{"op": "replace", "path": "/a", "value": null}]),
            json!({"a": null}),
        ),
        (
            json!({"a": {"b": 1}}),
            json!([{"op": "move", "from": "/a/b", "path": "/c"}]),
            json!({"a": {}, "c": 1}),
        ),
        (
            json!({"a": 1}),
            json!([{"op": "copy", "from": "/a", "path": "/b"}]),
            json!({"a": 1, "b": 1}),
        ),
        (
            json!({"a/b": 1, "m~n": 2}),
            json!([{"op": "test", "path": "/a~1b", "value": 1}, {"op": "test", "path": "/m~0n", "value": 2}]),
            json!({"a/b": 1, "m~n": 2}),
        ),
        (
            json!({"a": 1}),
            json!([{"op": "replace", "path": "", "value": 5}]),
            json!(5),
        ),
    ];
    for (document, patch, expected) in cases {
        assert_eq!(patched(document, patch.clone()).unwrap(), expected, "{patch}");
    }
}

#[test]
fn an_operation_that_does_not_fit_is_refused_with_its_place() {
    let document = json!({"a": [1], "b": {"c": 1}, "d": 5});
    for operation in [
        json!({"op": "remove", "path": "/nope"}),
        json!({"op": "remove", "path": "/a/1"}),
        json!({"op": "replace", "path": "/nope", "value": 1}),
        json!({"op": "add", "path": "/nope/x", "value": 1}),
        json!({"op": "add", "path": "/d/x", "value": 1}),
        json!({"op": "add", "path": "/a/2", "value": 1}),
        json!({"op": "add", "path": "/a/00", "value": 1}),
        json!({"op": "copy", "from": "/nope", "path": "/x"}),
        json!({"op": "move", "from": "/b", "path": "/b/c"}),
    ] {
        let patch = json!([{"op": "test", "path": "/d", "value": 5}, operation]);
        match patched(document.clone(), patch) {
            Err(PatchError::Unfit(problem)) => assert_eq!(problem.path, "/body/1", "{operation}"),
            other => panic!("{operation}: {other:?}"),
        }
    }
}

#[test]
fn a_failing_test_says_where_it_looked() {
    let failed = patched(json!({"a": 1}), json!([{"op": "test", "path": "/a", "value": 2}]));
    assert_eq!(
        failed,
        Err(PatchError::TestFailed {
            place: "/body/0".to_owned(),
            path: "/a".to_owned()
        })
    );
}

#[test]
fn everything_that_is_wrong_with_a_patch_is_listed() {
    let paths = |patch: Value| {
        read_patch(&patch)
            .unwrap_err()
            .into_iter()
            .map(|problem| problem.path)
            .collect::<Vec<_>>()
    };
    assert_eq!(paths(json!({})), ["/body"]);
    assert_eq!(paths(json!([5])), ["/body/0"]);
    assert_eq!(
        paths(json!([
            {"op": "frob", "path": "/a"},
            {"op": "add", "path": "a", "value": 1},
            {"op": "add", "path": "/a"},
            {"op": "move", "path": "/a"},
            {"path": "/a"},
        ])),
        [
            "/body/0/op",
            "/body/1/path",
            "/body/2/value",
            "/body/3/from",
            "/body/4/op"
        ]
    );
}

fn message(outcome: Result<Value, PatchError>) -> String {
    match outcome {
        Err(PatchError::Unfit(problem)) => problem.message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn copies_of_copies_are_refused_before_they_are_made() {
    let copies: Vec<Value> = (0..40)
        .map(|number| json!({"op": "copy", "from": "", "path": format!("/x{number}")}))
        .collect();
    let refused = message(patched(json!({"a": [1, 2, 3]}), Value::Array(copies)));
    assert!(refused.contains("more than 40000 values"), "{refused}");
}

#[test]
fn copied_text_counts() {
    let mut operations = vec![json!({"op": "add", "path": "/t0", "value": "x".repeat(100_000)})];
    for number in 1..40 {
        operations.push(json!({"op": "copy", "from": "/t0", "path": format!("/t{number}")}));
    }
    let refused = message(patched(json!({}), Value::Array(operations)));
    assert!(refused.contains("more than 40000 values"), "{refused}");
}

#[test]
fn depth_that_doubles_is_refused_before_it_is_made() {
    let mut deep = json!({});
    let mut leaf = String::from("/a");
    for _ in 0..100 {
        deep = json!({ "a": deep });
        leaf.push_str("/a");
    }
    let patch = json!([
        {"op": "add", "path": "/a", "value": deep},
        {"op": "copy", "from": "/a", "path": leaf},
    ]);
    let refused = message(patched(json!({}), patch));
    assert!(refused.contains("more than 128 levels"), "{refused}");
}

#[test]
fn a_small_document_cannot_be_made_to_cost_much() {
    // each pair of operations leaves the document as it was
    let mut operations = vec![json!({"op": "add", "path": "/list", "value": vec![0; 15_000]})];
    for _ in 0..400 {
        operations.push(json!({"op": "copy", "from": "/list", "path": "/other"}));
        operations.push(json!({"op": "remove", "path": "/other"}));
    }
    let refused = message(patched(json!({}), Value::Array(operations)));
    assert!(refused.contains("send fewer"), "{refused}");
}

#[test]
fn what_is_taken_away_makes_room() {
    let list = vec![0; 30_000];
    let patch = json!([
        {"op": "add", "path": "/a", "value": list},
        {"op": "remove", "path": "/a"},
        {"op": "add", "path": "/b", "value": list},
        {"op": "replace", "path": "/b", "value": list},
        {"op": "add", "path": "/b", "value": list},
        {"op": "replace", "path": "", "value": {"c": list}},
        {"op": "move", "from": "/c", "path": "/d"},
    ]);
    assert_eq!(patched(json!({}), patch).unwrap(), json!({ "d": list }));
}

#[test]
fn a_patch_has_at_most_a_thousand_operations() {
    let tests = |count: usize| Value::Array(vec![json!({"op": "test", "path": "", "value": 1}); count]);
    assert!(read_patch(&tests(1000)).is_ok());
    assert_eq!(read_patch(&tests(1001)).unwrap_err().len(), 1);
}
