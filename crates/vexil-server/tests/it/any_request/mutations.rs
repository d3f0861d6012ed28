//! What is done to a body that a client might send: values of other types, members that are missing, misspelt or
//! twice there, lists and texts without end, numbers beyond all bounds, broken JSON.

use serde_json::{Map, Value, json};

use crate::chance::Chance;

/// Text that somebody might put anywhere.
pub(crate) const TEXTS: &[&str] = &[
    "",
    " ",
    "\0",
    "a\0b",
    "\u{202e}",
    "\u{feff}",
    "\u{ffff}",
    "é",
    "𝒳",
    "☃☃☃",
    "../../etc/passwd",
    "'; drop table flags;--",
    "%s%n",
    "<script>",
    "__proto__",
    "constructor",
    "null",
    "true",
    "1e400",
    "-0",
    "NaN",
    "*",
    "**",
    "IS:",
    "IS_ANY_OF:,,,",
    "IS_NOT:x",
    "2026-13-45",
    "0000-00-00T00:00:00Z",
    "9999-12-31T23:59:59.999999999Z",
    "-9999-01-01T00:00:00Z",
    "+10000-01-01T00:00:00Z",
    "2026-11-28T00:00:60Z",
    "2026-11-28T00:00:00+23:59",
    "1970-01-01",
    "(((((",
    "(a{1000}){1000}",
    "\\p{Greek}",
    "\\",
    "1.2.3-a.a.a.a",
    "99999999999999999999.0.0",
    "0x10",
    "١٢",
    "::1",
    "fe80::1%eth0",
    "10.0.0.0/33",
    "\n\r\t",
    "\u{7f}",
    "\u{1b}[31m",
    "\u{a0}x",
    ",",
    ",,,,",
    "default",
    "development",
    "production",
    "checkout",
    "banner",
    "userId",
    "random",
    "flexibleRollout",
    "remoteAddress",
    "2026-11-27T12:40:00Z",
    "2026-11-27T13:00:00+01:00",
    "0",
    "100",
    "101",
    "-1",
];

/// JSON as it cannot be written from a value.
const RAW: &[&str] = &[
    "1e400",
    "-1e400",
    "1E+9999999",
    "-0.0",
    "5e-324",
    "18446744073709551616",
    "-9223372036854775809",
    "9007199254740993",
    "NaN",
    "Infinity",
    "00",
    "-",
    "+1",
    "\"\\ud800\"",
    "\"\\udfff\\ud800\"",
    "\"\\u0000\"",
    "tru",
    "{\"a\":1,\"a\":2}",
    "{\"name\":\"x\",\"name\":\"y\"}",
    "[1,]",
    "{\"a\":}",
    "'x'",
    "\"\u{1}\"",
    "",
];

const MEMBERS: &[&str] = &[
    "x",
    "id",
    "name",
    "type",
    "projects",
    "project",
    "environment",
    "environments",
    "constraints",
    "segments",
    "variants",
    "parameters",
    "disabled",
    "sortOrder",
    "payload",
    "action",
    "feature",
    "features",
    "state",
    "scheduledAt",
    "comment",
    "values",
    "value",
    "caseInsensitive",
    "inverted",
    "op",
    "path",
    "from",
    "context",
    "properties",
    "title",
    "stickiness",
    "weight",
    "weightType",
    "enabled",
    "stale",
    "archived",
    "operator",
];

/// Stands in a value where raw text is to come.
const MARK: char = '\u{1}';

/// The body after one to three mutations, as text.
pub(crate) fn mutated(mut body: Value, chance: &mut Chance) -> Vec<u8> {
    for _ in 0..*chance.pick(&[1, 1, 1, 2, 3]) {
        let places = places(&body);
        let place = chance.pick(&places).clone();
        let spare = chance.pick(&places).clone();
        let spare = body.pointer(&spare).cloned().unwrap_or_default();
        match chance.below(20) {
            0..8 => set(&mut body, &place, odd(chance)),
            8..11 => remove(&mut body, &place),
            11..13 => add_member(&mut body, &place, chance),
            13 => misspell(&mut body, &place, chance),
            14 => repeat(&mut body, &place, *chance.pick(&[2, 50, 1000])),
            15 => set(&mut body, &place, spare),
            16 => set(&mut body, &place, Value::Null),
            17 => wrap(&mut body, &place, |inner| json!([inner])),
            18 => wrap(&mut body, &place, |inner| json!({ "a": inner })),
            _ => set(&mut body, &place, nested(chance)),
        }
    }
    let mut text = written(&body);
    if chance.one_in(20) {
        break_bytes(&mut text, chance);
    }
    text
}

/// A value as text, with raw pieces where they belong.
pub(crate) fn written(body: &Value) -> Vec<u8> {
    let mut text = body.to_string();
    for (number, raw) in RAW.iter().enumerate() {
        text = text.replace(&Value::String(format!("{MARK}{number}{MARK}")).to_string(), raw);
    }
    text.into_bytes()
}

fn odd(chance: &mut Chance) -> Value {
    match chance.below(12) {
        0..4 => json!(chance.pick(TEXTS)),
        4 => json!(chance.pick(&[
            0,
            -1,
            1,
            i64::from(i32::MAX),
            i64::from(i32::MAX) + 1,
            i64::MAX,
            i64::MIN
        ])),
        5 => json!(chance.pick(&[0.5, -0.5, 1e308, 5e-324, 1.000_000_1])),
        6 => Value::String(format!("{MARK}{}{MARK}", chance.below(RAW.len()))),
        7 => chance
            .pick(&[
                Value::Null,
                json!(true),
                json!(false),
                json!([]),
                json!({}),
                json!([[]]),
                json!([{}]),
                json!([null]),
                json!({ "": null }),
            ])
            .clone(),
        8 => json!("a".repeat(*chance.pick(&[100, 801, 5000, 70_000]))),
        9 => json!(vec![*chance.pick(TEXTS); *chance.pick(&[1, 3, 251, 1001])]),
        10 => Value::Object(
            (0..*chance.pick(&[1, 30, 2000]))
                .map(|number| (format!("k{number}"), json!(number)))
                .collect(),
        ),
        _ => json!([{ "name": chance.pick(TEXTS), "type": "x", "value": 1 }, chance.pick(TEXTS)]),
    }
}

/// Lists or objects in each other, many levels deep.
fn nested(chance: &mut Chance) -> Value {
    let levels = *chance.pick(&[10, 100, 120]);
    let in_lists = chance.one_in(2);
    (0..levels).fold(json!(1), |inner, _| {
        if in_lists {
            json!([inner])
        } else {
            json!({ "a": inner })
        }
    })
}

/// Every place in a value, as JSON pointers.
fn places(value: &Value) -> Vec<String> {
    /// In a large value so many are enough.
    const MOST: usize = 2000;
    let mut found = vec![String::new()];
    let mut at = 0;
    while let Some(place) = found.get(at).cloned() {
        at += 1;
        match value.pointer(&place) {
            Some(Value::Object(object)) => {
                let escaped = object
                    .keys()
                    .map(|name| name.replace('~', "~0").replace('/', "~1"));
                found.extend(escaped.map(|name| format!("{place}/{name}")));
            }
            Some(Value::Array(items)) => {
                found.extend((0..items.len()).map(|index| format!("{place}/{index}")))
            }
            _ => {}
        }
        if found.len() > MOST {
            break;
        }
    }
    found.truncate(MOST);
    found
}

fn set(body: &mut Value, place: &str, new: Value) {
    if let Some(value) = body.pointer_mut(place) {
        *value = new;
    }
}

fn wrap(body: &mut Value, place: &str, around: impl Fn(Value) -> Value) {
    if let Some(value) = body.pointer_mut(place) {
        *value = around(value.take());
    }
}

/// The object that a place is in, and what it is called there.
fn member<'a>(body: &'a mut Value, place: &str) -> Option<(&'a mut Map<String, Value>, String)> {
    let (parent, name) = place.rsplit_once('/')?;
    let object = body.pointer_mut(parent)?.as_object_mut()?;
    Some((object, name.replace("~1", "/").replace("~0", "~")))
}

fn remove(body: &mut Value, place: &str) {
    if let Some((object, name)) = member(body, place) {
        object.remove(&name);
    }
}

fn misspell(body: &mut Value, place: &str, chance: &mut Chance) {
    if let Some((object, name)) = member(body, place)
        && let Some(value) = object.remove(&name)
    {
        let twin = match chance.below(3) {
            0 => name.to_uppercase(),
            1 => format!("{name}s"),
            _ => format!(" {name}"),
        };
        object.insert(twin, value);
    }
}

fn add_member(body: &mut Value, place: &str, chance: &mut Chance) {
    if let Some(Value::Object(object)) = body.pointer_mut(place) {
        object.insert((*chance.pick(MEMBERS)).to_owned(), odd(chance));
    }
}

fn repeat(body: &mut Value, place: &str, times: usize) {
    /// What repeats itself again and again has an end.
    const MOST: usize = 20_000;
    match body.pointer_mut(place) {
        Some(Value::Array(items)) if items.len() * times <= MOST => {
            let once = items.clone();
            items.extend((1..times).flat_map(|_| once.iter().cloned()));
        }
        Some(Value::String(text)) if text.len() * times <= MOST => *text = text.repeat(times),
        _ => {}
    }
}

/// Cut off, or with a byte that is another.
fn break_bytes(text: &mut Vec<u8>, chance: &mut Chance) {
    if text.is_empty() {
        return;
    }
    let at = chance.below(text.len());
    match chance.below(3) {
        0 => text.truncate(at),
        1 => text[at] = *chance.pick(&[0, 0x80, 0xff, b'"', b'\\', b'{', b'}', b',', b' ']),
        _ => text.insert(at, *chance.pick(&[0, 0xc0, 0xed, b'"', b'[', b'0'])),
    }
}
