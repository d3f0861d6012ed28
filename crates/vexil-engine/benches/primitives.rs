//! What is made by hand in the engine and below it, each beside the well-kept crate that it stands in for, in turn in one run.
//!
//! The modules of the engine are private; they are compiled here from the same files.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark prints, and stops at what it does not expect"
)]

#[expect(dead_code, reason = "the report of the other benchmark is used in part")]
#[path = "engine/measure.rs"]
mod measure;
#[expect(dead_code, reason = "what is only used by the engine")]
#[cfg_attr(
    test,
    expect(unused_imports, reason = "their tests are run where they belong")
)]
#[path = "../src/values/mod.rs"]
mod values;

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;
use std::io::Cursor;

use foldhash::fast::FixedState;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use vexil_domain::Properties;
use vexil_values::{Instant, Number, TextPlace, Version};

use measure::{report, versus};
use values::hash::hash;
use values::ignoring_case::find_ignoring_case;
use values::murmur::{Prefix, ROLLOUT_SEED};
use values::same::same;
use values::text_set::{Hashed, TextSet};

const SAMPLES: usize = 41;
/// So many values are asked for in turn, in an order that no branch predictor learns.
const MANY: usize = 4096;

fn main() {
    println!("{:<34} {:>14} {:>14}", "", "by hand", "the crate");
    sets();
    comparison();
    hashes();
    lower_case();
    parsers();
    properties();
}

/// One after the other of many, the same for both that are compared.
struct InTurn<T> {
    all: Vec<T>,
    next: Cell<usize>,
}

impl<T> InTurn<T> {
    fn new(make: impl Fn(usize) -> T) -> Self {
        // a full period of a linear congruence: each once, in no order
        let mut number = 1_usize;
        let all = (0..MANY).map(|_| {
            number = number.wrapping_mul(5).wrapping_add(3) % MANY;
            make(number)
        });
        Self {
            all: all.collect(),
            next: Cell::new(0),
        }
    }

    fn one(&self) -> &T {
        let at = self.next.get();
        self.next.set((at + 1) % MANY);
        &self.all[at]
    }
}

/// Half of what is asked for is in the set.
fn sets() {
    for size in [10, 1_000, 100_000] {
        let entries: Vec<String> = (0..size)
            .map(|number| format!("user-{:06}", number * 7))
            .collect();
        let ours = TextSet::new(entries.iter().map(String::as_str));
        let theirs: HashSet<Box<str>, FixedState> = entries.iter().map(|it| it.as_str().into()).collect();
        let texts = InTurn::new(|number| match number % 2 {
            0 => format!("user-{:06}", (number % size) * 7),
            _ => format!("user-{:06}", (number % size) * 7 + 1),
        });
        let both = versus(
            SAMPLES,
            || ours.contains(Hashed::new(texts.one())),
            || theirs.contains(texts.one().as_str()),
        );
        report(&format!("a set of {size} texts: hashbrown"), &both);
    }
}

fn comparison() {
    for length in [6, 12, 24] {
        let wanted = "x".repeat(length);
        let texts = InTurn::new(|number| {
            let mut text = wanted.clone().into_bytes();
            if number % 2 == 0 {
                text[length - 1] = b'y';
            }
            text
        });
        let both = versus(
            SAMPLES,
            || same(texts.one(), wanted.as_bytes()),
            || texts.one().as_slice() == wanted.as_bytes(),
        );
        report(&format!("{length} bytes equal: memcmp"), &both);
    }
}

fn hashes() {
    let ids = InTurn::new(|number| format!("user-{number:06}"));
    let prefix = Prefix::of_group("checkout-rollout", ROLLOUT_SEED);
    let mut buffer = String::new();
    let both = versus(
        SAMPLES,
        || prefix.finish(ids.one()),
        || {
            buffer.clear();
            buffer.push_str("checkout-rollout:");
            buffer.push_str(ids.one());
            murmur3::murmur3_32(&mut Cursor::new(buffer.as_bytes()), ROLLOUT_SEED).unwrap()
        },
    );
    report("bucket of an id: murmur3", &both);
    let state = FixedState::default();
    let both = versus(
        SAMPLES,
        || hash(ids.one().as_bytes()),
        || state.hash_one(ids.one().as_bytes()),
    );
    report("hash of a name: foldhash", &both);
}

fn lower_case() {
    let needles: [Box<str>; 1] = ["user-00".into()];
    for (what, texts) in [
        ("ASCII", InTurn::new(|number| format!("User-{number:06}"))),
        ("other letters", InTurn::new(|number| format!("ÜSER-{number:06}"))),
    ] {
        let both = versus(
            SAMPLES,
            || find_ignoring_case(TextPlace::Start, &needles, texts.one()).is_some(),
            || texts.one().to_lowercase().starts_with(&*needles[0]),
        );
        report(&format!("starts with, no case, {what}: std"), &both);
    }
}

fn parsers() {
    let dates = InTurn::new(|number| {
        format!(
            "2026-{:02}-{:02}T12:30:{:02}Z",
            number % 12 + 1,
            number % 28 + 1,
            number % 60
        )
    });
    let both = versus(
        SAMPLES,
        || Instant::parse(dates.one()),
        || OffsetDateTime::parse(dates.one(), &Rfc3339).ok(),
    );
    report("a date-time: time", &both);
    let versions = InTurn::new(|number| format!("{}.{}.{}", number % 20, number % 30, number));
    let wanted = Version::parse("10.2.3").unwrap();
    let other = semver::Version::parse("10.2.3").unwrap();
    let both = versus(
        SAMPLES,
        || Version::parse(versions.one()).is_some_and(|version| version > wanted),
        || semver::Version::parse(versions.one()).is_ok_and(|version| version > other),
    );
    report("a version, compared: semver", &both);
    let early =
        InTurn::new(|number| format!("{}.{}.{}-beta.{}", number % 20, number % 30, number, number % 9));
    let both = versus(
        SAMPLES,
        || Version::parse(early.one()).is_some_and(|version| version > wanted),
        || semver::Version::parse(early.one()).is_ok_and(|version| version > other),
    );
    report("a pre-release, compared: semver", &both);
    for (what, numbers) in [
        ("whole", InTurn::new(|number| number.to_string())),
        (
            "fraction",
            InTurn::new(|number| format!("{}.{:03}", number % 100, number % 1000)),
        ),
    ] {
        let both = versus(
            SAMPLES,
            || Number::parse(numbers.one()).map(Number::get),
            || numbers.one().parse::<f64>().ok(),
        );
        report(&format!("a number, {what}: std"), &both);
    }
}

fn properties() {
    for count in [8, 30] {
        let pairs: Vec<(String, String)> = (0..count)
            .map(|number| (format!("property{number}"), format!("value-{number}")))
            .collect();
        let both = versus(
            SAMPLES,
            || {
                let mut properties = Properties::default();
                for (name, value) in &pairs {
                    properties.insert(name, value);
                }
                properties
            },
            || {
                let pairs = pairs.iter().map(|(name, value)| (name.clone(), value.clone()));
                pairs.collect::<HashMap<String, String, FixedState>>()
            },
        );
        report(&format!("{count} properties built: hashbrown"), &both);
        let ours: Properties = pairs
            .iter()
            .fold(Properties::default(), |mut all, (name, value)| {
                all.insert(name, value);
                all
            });
        let theirs: HashMap<String, String, FixedState> = pairs.iter().cloned().collect();
        let names = InTurn::new(|number| {
            let name = format!("property{}", number % count);
            (Properties::tag(&name), name)
        });
        let both = versus(
            SAMPLES,
            || {
                let (tag, name) = names.one();
                ours.get_by(name, *tag)
            },
            || theirs.get(&names.one().1).map(String::as_str),
        );
        report(&format!("one of {count} properties: hashbrown"), &both);
    }
}
