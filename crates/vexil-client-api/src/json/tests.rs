use serde_json::{Value, json};

use super::spelling::closest;
use super::{Node, ParseError, Problems, parse_distinct};

#[test]
fn paths_are_json_pointers() {
    let body = json!({ "a/b": [{ "c~d": 1 }] });
    let node = Node::body(&body);
    let items = node.get("a/b").array(&mut Problems::new()).unwrap();
    let members = items[0].members(&mut Problems::new()).unwrap();
    assert_eq!(members[0].1.path(), "/body/a~1b/0/c~0d");
    assert_eq!(items[0].get("none").path(), "/body/a~1b/0/none");
    assert_eq!(items[0].get("none").nullable().path(), "/body/a~1b/0/none");
}

/// Half a megabyte of a name in the paths of 50,000 members would be 25 gigabytes.
#[test]
fn a_long_name_is_not_repeated_for_all_that_is_inside() {
    let long = "x".repeat(500_000);
    let members: serde_json::Map<String, Value> = (0..50_000)
        .map(|number| (number.to_string(), Value::Null))
        .collect();
    let mut body = serde_json::Map::new();
    body.insert(long.clone(), Value::Object(members));
    let body = Value::Object(body);
    let mut problems = Problems::new();
    let members = Node::body(&body).get(&long).members(&mut problems).unwrap();
    assert_eq!(members.len(), 50_000);
    for (_, member) in &members {
        let _not_there = member.object(&mut problems);
    }
    let problems = problems.finish(Some(())).unwrap_err();
    let told: usize = problems
        .iter()
        .map(|problem| problem.path.len() + problem.message.len())
        .sum();
    assert!(told < 100_000, "{told}");
    assert_eq!(problems[7].path, format!("/body/{}…/7", "x".repeat(100)));
}

#[test]
fn of_very_many_faults_the_first_are_told_and_the_others_counted() {
    let body = json!(vec![0; 1000]);
    let mut problems = Problems::new();
    for item in Node::body(&body).array(&mut problems).unwrap() {
        let _not_there = item.object(&mut problems);
    }
    let problems = problems.finish(Some(())).unwrap_err();
    assert_eq!(problems.len(), 201);
    assert_eq!(problems[200].message, "And 800 more problems.");
}

/// To look for what is meant by each of 100,000 misspelt members takes a minute.
#[test]
fn faults_that_are_only_counted_cost_nothing() {
    let members = (0..1000).map(|at| (format!("misspelt{at:050}"), Value::Null));
    let body = Value::Object(members.collect());
    let known = ["known", "unknown"];
    let mut problems = Problems::new();
    let mut guesses = 0;
    let guess = |name: &str, known: &[&'static str]| {
        guesses += 1;
        closest(name, known)
    };
    let _refused = Node::body(&body).object_guessing(&mut problems, &known, guess);
    let problems = problems.finish(Some(())).unwrap_err();
    assert_eq!(problems.len(), 201);
    assert_eq!(problems[200].message, "And 800 more problems.");
    assert_eq!(guesses, 200);
}

#[test]
fn what_was_sent_is_shown_as_far_as_it_is_short() {
    let show = |value: &Value| {
        let mut problems = Problems::new();
        problems.refuse("/body", "must be object", value);
        problems.finish(Some(())).unwrap_err()[0].message.clone()
    };
    assert_eq!(
        show(&json!([1, "é"])),
        "The `/body` property must be object. You sent [1,\"é\"]."
    );
    let long = show(&json!("é".repeat(150)));
    assert!(long.ends_with(&format!("{}….", "é".repeat(99))), "{long}");
    assert_eq!(
        show(&json!("x".repeat(198))).len(),
        "The `/body` property must be object. You sent .".len() + 200
    );
}

#[test]
fn text_in_which_nothing_stands_twice_is_read_as_it_is() {
    for text in [
        "null",
        " [true,false,-1,18446744073709551615,-9223372036854775808,0.1,1e300,\"a\\u00e9\\n\"] ",
        r#"{"b":{"a":1,"b":[{"a":1},{"a":1}]},"a":{},"":[]}"#,
        r#"{"$serde_json::private::RawValue":"1","$serde_json::private::Number":"2"}"#,
    ] {
        let read = parse_distinct(text.as_bytes(), "/body").unwrap();
        let plain = text.replace("$serde_json::private::", "");
        let expected: Value = serde_json::from_str(&plain).unwrap();
        assert_eq!(
            read.to_string().replace("$serde_json::private::", ""),
            expected.to_string()
        );
    }
    for text in [
        "",
        "{",
        "[1,]",
        "{\"a\":1}x",
        "1e999",
        "nul",
        "\"\\ud800\"",
        "{1:2}",
    ] {
        let refused = parse_distinct(text.as_bytes(), "/body").unwrap_err();
        let ParseError::NoJson(error) = refused else {
            panic!("{text}: {refused}");
        };
        let expected = serde_json::from_str::<Value>(text).unwrap_err();
        assert_eq!(error.to_string(), expected.to_string(), "{text}");
    }
    let deep = "[".repeat(200) + &"]".repeat(200);
    assert!(parse_distinct(deep.as_bytes(), "/body").is_err());
}

#[test]
fn a_member_that_stands_twice_is_refused_with_its_place() {
    let long = "x".repeat(500_000);
    for (text, place) in [
        (r#"{"a":1,"a":1}"#.to_owned(), "/body/a".to_owned()),
        (r#"{"a":1,"b":2,"\u0061":{}}"#.to_owned(), "/body/a".to_owned()),
        (
            r#"[0,{"a/b":{"c~d":[{"":1,"":2}]}}]"#.to_owned(),
            "/body/1/a~1b/c~0d/0/".to_owned(),
        ),
        // what comes behind is not read
        (r#"{"a":{"b":1,"b":2},"a":3"#.to_owned(), "/body/a/b".to_owned()),
        (
            format!(r#"{{"{long}":1,"{long}":2}}"#),
            format!("/body/{}…", "x".repeat(100)),
        ),
    ] {
        let ParseError::Repeated(problem) = parse_distinct(text.as_bytes(), "/body").unwrap_err() else {
            panic!("{place}");
        };
        assert_eq!(problem.path, place);
        assert!(
            problem.message.contains("stands more than once"),
            "{}",
            problem.message
        );
        assert!(problem.message.len() < 1_000);
    }
}

/// What JavaScript says of these numbers, and so what Unleash keeps of them where it takes text.
#[test]
fn a_number_is_taken_as_the_text_that_javascript_makes_of_it() {
    for (sent, text) in [
        ("50.0", "50"),
        ("1e2", "100"),
        ("1.50", "1.5"),
        ("-0.0", "0"),
        ("-2.0", "-2"),
        ("0.1", "0.1"),
        ("1e20", "100000000000000000000"),
        ("1e21", "1e+21"),
        ("-1.5e300", "-1.5e+300"),
        ("0.000001", "0.000001"),
        ("1e-7", "1e-7"),
        ("5e-324", "5e-324"),
        // an id keeps its last digit
        ("9007199254740993", "9007199254740993"),
        ("-9223372036854775808", "-9223372036854775808"),
    ] {
        let body: Value = serde_json::from_str(sent).unwrap();
        let read = Node::body(&body).text(&mut Problems::new());
        assert_eq!(read.as_deref(), Some(text), "{sent}");
    }
}
