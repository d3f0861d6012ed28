//! What is not understood is refused with its place, wherever it stands: every document, with `null` and with
//! a misspelt twin in place of every member.

use serde_json::{Map, Value};

use crate::documents::{Document, all};

/// Every place in a value that is a member of an object, as JSON pointers.
fn members(value: &Value) -> Vec<String> {
    fn walk(value: &Value, at: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(object) => {
                for (name, inner) in object {
                    let place = format!("{at}/{name}");
                    walk(inner, &place, found);
                    found.push(place);
                }
            }
            Value::Array(items) => {
                for (index, inner) in items.iter().enumerate() {
                    walk(inner, &format!("{at}/{index}"), found);
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(value, "", &mut found);
    found
}

fn object_at<'a>(value: &'a mut Value, place: &str) -> (&'a mut Map<String, Value>, String) {
    let (parent, name) = place.rsplit_once('/').unwrap();
    let object = value.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    (object, name.to_owned())
}

fn is_free(document: &Document, place: &str) -> bool {
    let (parent, _) = place.rsplit_once('/').unwrap();
    document.free.contains(&parent)
}

/// The places that are refused.
fn refused(document: &Document, sent: &Value) -> Vec<String> {
    match (document.read)(sent) {
        Ok(()) => Vec::new(),
        Err(problems) => problems.into_iter().map(|problem| problem.path).collect(),
    }
}

#[test]
fn every_document_is_read_whole() {
    for document in all() {
        let refused = (document.read)(&document.whole);
        assert_eq!(refused, Ok(()), "{}", document.name);
    }
}

#[test]
fn null_is_refused_with_its_place_unless_it_means_none() {
    for document in all() {
        for place in members(&document.whole) {
            let mut sent = document.whole.clone();
            *sent.pointer_mut(&place).unwrap() = Value::Null;
            let refused = refused(&document, &sent);
            let expected = format!("/body{place}");
            if document.nullable.contains(&place.as_str()) || document.unread.contains(&place.as_str()) {
                assert_eq!(refused, [""; 0], "{}: {place}", document.name);
            } else {
                assert!(
                    refused.contains(&expected),
                    "{}: {place}: {refused:?}",
                    document.name
                );
            }
        }
    }
}

/// What decides how the rest of its object is read: where it is wrong, nothing can be said of the rest.
const DECIDING: [&str; 5] = ["action", "op", "operator", "state", "type"];

#[test]
fn of_two_faults_both_are_told_with_their_places() {
    let mut passed_over = Vec::new();
    for document in all() {
        let of_none = |place: &String| {
            let passed =
                document.nullable.contains(&place.as_str()) || document.unread.contains(&place.as_str());
            let name = place.rsplit('/').next().unwrap();
            !passed && !DECIDING.contains(&name)
        };
        let places: Vec<String> = members(&document.whole).into_iter().filter(of_none).collect();
        for (at, one) in places.iter().enumerate() {
            for other in places.iter().skip(at + 1) {
                let below = |outer: &str, inner: &str| inner.starts_with(&format!("{outer}/"));
                if below(one, other) || below(other, one) {
                    continue;
                }
                let mut sent = document.whole.clone();
                for place in [one, other] {
                    *sent.pointer_mut(place).unwrap() = Value::Null;
                }
                let refused = refused(&document, &sent);
                if ![one, other]
                    .iter()
                    .all(|place| refused.contains(&format!("/body{place}")))
                {
                    passed_over.push(format!("{}: {one} and {other}: {refused:?}", document.name));
                }
            }
        }
    }
    assert_eq!(passed_over, [""; 0]);
}

/// Names that somebody might write instead.
fn twins(name: &str) -> Vec<String> {
    let mut capital = name.to_owned();
    capital.replace_range(..1, &name[..1].to_uppercase());
    let mut short = name.to_owned();
    short.pop();
    let snake = name
        .chars()
        .map(|c| {
            if c.is_uppercase() {
                format!("_{}", c.to_lowercase())
            } else {
                c.to_string()
            }
        })
        .collect::<String>();
    let mut twins = vec![capital, short, snake, format!("{name}s"), format!("{name} ")];
    twins.retain(|twin| twin != name);
    twins.sort();
    twins.dedup();
    twins
}

#[test]
fn a_misspelt_member_is_refused_and_what_was_meant_is_told() {
    let mut told = 0;
    for document in all() {
        for place in members(&document.whole)
            .iter()
            .filter(|place| !is_free(&document, place))
        {
            let (_, name) = place.rsplit_once('/').unwrap();
            for twin in twins(name) {
                let mut sent = document.whole.clone();
                let (object, name) = object_at(&mut sent, place);
                if object.contains_key(&twin) {
                    continue;
                }
                let value = object.remove(&name).unwrap();
                object.insert(twin.clone(), value);
                let expected = format!("/body{}/{twin}", place.rsplit_once('/').unwrap().0);
                let problems = (document.read)(&sent).err().unwrap_or_default();
                let found = problems.iter().find(|problem| problem.path == expected);
                let Some(problem) = found else {
                    // the twin may be the name of something else that is known
                    let known = [
                        "project",
                        "projects",
                        "feature",
                        "features",
                        "environment",
                        "environments",
                        "constraint",
                        "variants",
                    ];
                    assert!(
                        known.contains(&twin.as_str()),
                        "{}: {place} as {twin}: {problems:?}",
                        document.name
                    );
                    continue;
                };
                told += usize::from(problem.message.contains(&format!("Did you mean `{name}`?")));
            }
        }
    }
    // most twins are near enough to tell
    assert!(told > 500, "{told}");
}

#[test]
fn a_member_that_nobody_knows_is_refused_everywhere() {
    for document in all() {
        let mut objects: Vec<String> = members(&document.whole)
            .iter()
            .map(|place| place.rsplit_once('/').unwrap().0.to_owned())
            .collect();
        objects.sort();
        objects.dedup();
        for object in objects
            .iter()
            .filter(|object| !document.free.contains(&object.as_str()))
        {
            let mut sent = document.whole.clone();
            let members = sent.pointer_mut(object).unwrap().as_object_mut().unwrap();
            members.insert("nobody knows me".to_owned(), Value::Bool(true));
            let expected = format!("/body{object}/nobody knows me");
            let refused = refused(&document, &sent);
            assert!(
                refused.contains(&expected),
                "{}: {object}: {refused:?}",
                document.name
            );
        }
    }
}
