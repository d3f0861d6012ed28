//! The users who ask: a thousand, in turn, with few or many properties.

use vexil_domain::Context;

use crate::state::their_context;

/// How many there are.
pub(crate) const USERS: usize = 1_000;

/// Users as each engine wants them.
pub(crate) struct Users {
    pub(crate) ours: Vec<Context>,
    pub(crate) theirs: Vec<unleash_yggdrasil::Context>,
}

impl Users {
    /// A thousand users with so many properties, at least six.
    pub(crate) fn with(properties: usize) -> Self {
        let ours: Vec<Context> = (0..USERS).map(|number| user(number, properties)).collect();
        let theirs = ours.iter().map(their_context).collect();
        Self { ours, theirs }
    }
}

/// In which order they come: each sixteen times, in an order that no branch predictor learns.
pub(crate) fn order() -> Vec<usize> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut order: Vec<usize> = (0..16 * USERS).map(|place| place % USERS).collect();
    for place in (1..order.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        order.swap(place, (state % (place as u64 + 1)) as usize);
    }
    order
}

/// The names and values of the properties of a user.
pub(crate) fn properties(number: usize, count: usize) -> Vec<(String, String)> {
    // every other user is on the short list of countries, most others on the long one
    let country = if number.is_multiple_of(2) {
        number / 2 % 10
    } else {
        10 + number
    };
    let known = [
        ("country", format!("country-{country}")),
        ("plan", format!("plan-{}", number % 7)),
        (
            "email",
            format!(
                "someone-{number}@{}",
                ["example.com", "Example.ORG", "elsewhere.net"][number % 3]
            ),
        ),
        (
            "device",
            format!("{}-{}", ["phone", "tablet", "desktop"][number % 3], number % 11),
        ),
        ("age", (10 + number % 90).to_string()),
        ("version", format!("1.{}.{}", number % 14, number % 5)),
    ];
    let known = known.map(|(name, value)| (name.to_owned(), value));
    let more = (known.len()..count).map(|place| {
        let names = [
            "cohort",
            "tenant",
            "region",
            "accountTier",
            "utmSource",
            "billingCycle",
            "locale",
            "shard",
        ];
        let name = format!("{}{}", names[place % names.len()], place / names.len());
        (name, format!("value-{}", number * 31 % 1_009 + place))
    });
    let mut all: Vec<(String, String)> = known.into_iter().chain(more).collect();
    // no two applications name them in the same order
    all.sort_by_key(|(name, _)| name.bytes().rev().collect::<Vec<u8>>());
    all
}

fn user(number: usize, count: usize) -> Context {
    Context {
        user_id: Some(format!("user-{number}")),
        session_id: Some(format!("5f1dd0b1-{number:04}-4ea5-a2f0-2c5d2b1b8f63")),
        remote_address: Some(format!("192.168.{}.{}", number % 4, number % 250)),
        environment: Some("production".to_owned()),
        app_name: Some("web".to_owned()),
        current_time: Some(format!("2024-07-01T12:{:02}:00Z", number % 60)),
        properties: properties(number, count).into_iter().collect(),
    }
}
