//! What no engine does without: some of the checks written out by hand, for each user in turn. There is no flag to look up, no
//! list of conditions to go through, and nothing that could be asked otherwise.

use std::hint::black_box;

use vexil_domain::{Context, Properties};
use vexil_engine::{Ambient, Engine};
use vexil_values::{TextPlace, Version};

use crate::measure::{alone, divided, report_alone};
use crate::users::{Users, order};
use crate::values::hash::hash;
use crate::values::ignoring_case::find_ignoring_case;
use crate::values::murmur::{Prefix, ROLLOUT_SEED, VARIANT_SEED};
use crate::values::text_set::{Hashed, TextSet};

const SAMPLES: usize = 15;

/// Times each, after it gave every user what the engine gives.
pub(crate) fn run(engine: &Engine, users: &Users, ambient: &Ambient<'_>) {
    println!("by hand");
    let floor = Floor {
        engine,
        users,
        ambient,
    };
    floor.rollout();
    for (name, count) in [("in10", 10), ("in1000", 1_000)] {
        let countries = set("country", count);
        let country = Field::of("country");
        floor.time(name, |user| {
            countries.contains(Hashed::new(country.of_user(user)))
        });
    }
    floor.five();
    variant(users);
}

struct Floor<'a> {
    engine: &'a Engine,
    users: &'a Users,
    ambient: &'a Ambient<'a>,
}

impl Floor<'_> {
    fn time(&self, name: &str, check: impl Fn(&Context) -> bool) {
        for user in &self.users.ours {
            let expected = self.engine.is_enabled(name, user, self.ambient);
            assert_eq!(check(user), expected, "{name} {user:?}");
        }
        for_every_user(name, self.users, check);
    }

    fn rollout(&self) {
        let prefix = Prefix::of_group("group-of-rollout", ROLLOUT_SEED);
        self.time("rollout", |user| {
            let bucket = prefix.finish(user.user_id.as_deref().unwrap_or_default()) % 100 + 1;
            bucket <= 50
        });
    }

    /// Five constraints and a segment, of which each is asked only where the ones before it hold.
    fn five(&self) {
        let domains: [Box<str>; 2] = ["@example.org".into(), "@example.com".into()];
        let plans = set("plan", 20);
        let least = Version::parse("1.2.0").unwrap();
        let (email, device, age) = (Field::of("email"), Field::of("device"), Field::of("age"));
        let (version, plan) = (Field::of("version"), Field::of("plan"));
        let years = |user: &Context| age.of_user(user).parse::<u32>().unwrap_or_default();
        self.time("5c1seg", |user| {
            find_ignoring_case(TextPlace::End, &domains, email.of_user(user)).is_some()
                && ["tablet", "phone"].iter().any(|kind| device.of_user(user).starts_with(kind))
                && years(user) >= 18
                // as text: dates of one form are in the order of their letters
                && user.current_time.as_deref().unwrap_or_default() > "2024-01-01T00:00:00Z"
                && Version::parse(version.of_user(user)).is_some_and(|version| version > least)
                && plans.contains(Hashed::new(plan.of_user(user)))
                && years(user) < 99
        });
    }
}

/// One of four names for a user, and the hash of a flag's name, as whoever looks it up has to make it.
fn variant(users: &Users) {
    let prefix = Prefix::of_group("default-variant", VARIANT_SEED);
    let names = ["red", "green", "blue", "yellow"];
    for_every_user("default-variant", users, |user| {
        black_box(hash(black_box("default-variant").as_bytes()));
        let bucket = prefix.finish(user.user_id.as_deref().unwrap_or_default()) % black_box(1_000);
        black_box(names.get(bucket as usize / 250)).is_some()
    });
}

fn for_every_user(name: &str, users: &Users, check: impl Fn(&Context) -> bool) {
    let order = order();
    let work = || {
        for user in &order {
            black_box(check(black_box(&users.ours[*user])));
        }
    };
    report_alone(
        &format!("by hand: {name}"),
        &divided(alone(SAMPLES, work), order.len()),
    );
}

fn set(name: &str, count: usize) -> TextSet {
    let entries: Vec<String> = (0..count).map(|number| format!("{name}-{number}")).collect();
    TextSet::new(entries.iter().map(String::as_str))
}

/// A property that is looked for again and again.
struct Field {
    name: &'static str,
    tag: u64,
}

impl Field {
    fn of(name: &'static str) -> Self {
        Self {
            name,
            tag: Properties::tag(name),
        }
    }

    fn of_user<'c>(&self, user: &'c Context) -> &'c str {
        user.properties.get_by(self.name, self.tag).unwrap_or_default()
    }
}
