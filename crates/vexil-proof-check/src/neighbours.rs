//! Values at, just before and just behind all that a field is compared with.

use std::collections::BTreeSet;

use time::OffsetDateTime;
use vexil_domain::Constraint;
use vexil_values::{Comparison, Instant, Network, read};

use crate::atoms::Grid;
use crate::matching;

/// So many values are put together with what is looked for,
const MOST_SAID: usize = 32;
/// with so much of it.
const MOST_HELD: usize = 12;

impl Grid<'_> {
    /// Texts at, before and behind all that a field is compared with; and those that are listed.
    pub(crate) fn neighbours(&self, field: &str) -> (BTreeSet<String>, BTreeSet<String>) {
        let usual: BTreeSet<String> = [
            "~",
            "other",
            "0",
            "-1",
            "1e9",
            "2000-01-01",
            "0.0.0",
            "10.0.0.1",
            "::1",
        ]
        .map(str::to_owned)
        .into();
        let mut texts = usual.clone();
        let mut listed = BTreeSet::new();
        let mut needles = BTreeSet::new();
        for (snapshot, flag) in self.flags() {
            for strategy in flag
                .settings
                .strategies
                .iter()
                .filter(|strategy| !strategy.disabled)
            {
                let shared = strategy
                    .segments
                    .iter()
                    .filter_map(|id| snapshot.segments.get(id));
                let all = strategy
                    .constraints
                    .iter()
                    .chain(shared.flat_map(|segment| &segment.constraints));
                for constraint in all.filter(|constraint| constraint.context_name == field) {
                    around(constraint, &mut texts, &mut listed, &mut needles);
                }
                let rule = match (strategy.name.as_str(), field) {
                    ("userWithId", "userId") => strategy.parameters.get("userIds"),
                    ("remoteAddress", "remoteAddress") => strategy.parameters.get("IPs"),
                    _ => None,
                };
                let entries = rule.into_iter().flat_map(|list| list.split(',')).map(str::trim);
                for entry in entries.filter(|entry| !entry.is_empty()) {
                    if field == "userId" {
                        listed.insert(entry.to_owned());
                    } else if let Some(network) = Network::parse(entry) {
                        around_network(&network, &mut texts);
                    }
                }
            }
        }
        listed.extend(
            self.overrides(field)
                .flatten()
                .filter(|text| !text.is_empty())
                .cloned(),
        );
        // a text can say a value and hold what is looked for: behind a version's `+`, or in its digits
        let values: Vec<&String> = texts.iter().filter(|text| !usual.contains(*text)).collect();
        let said = values.into_iter().take(MOST_SAID);
        let said: Vec<String> = said
            .flat_map(|value| needles.iter().take(MOST_HELD).flat_map(|held| both(value, held)))
            .collect();
        texts.extend(said);
        for one in &needles {
            for text in [
                one.clone(),
                format!("{one}~"),
                format!("~{one}"),
                format!("~{one}~"),
            ] {
                texts.insert(text);
            }
            for other in needles.iter().take(12) {
                texts.extend([
                    format!("{one}~{other}"),
                    format!("~{one}~{other}~"),
                    format!("{one}{other}"),
                ]);
            }
        }
        (texts, listed)
    }
}

/// Texts that may say a value and hold something that is looked for.
fn both(value: &str, held: &str) -> [String; 9] {
    // a moment with a fraction of its second
    let moment = value.trim_end_matches('Z');
    [
        format!("{moment}.{held}Z"),
        format!("{moment}.0{held}"),
        format!("{moment}{held}Z"),
        format!("{value}{held}"),
        format!("{held}{value}"),
        format!("{value}+{held}"),
        format!("{value}-{held}"),
        format!("{held}+{value}"),
        format!("{value}+~{held}~"),
    ]
}

/// Values around what a constraint compares with.
fn around(
    constraint: &Constraint,
    texts: &mut BTreeSet<String>,
    listed: &mut BTreeSet<String>,
    needles: &mut BTreeSet<String>,
) {
    match read(constraint, drop) {
        Some(Comparison::OneOf(entries) | Comparison::NoneOf(entries)) => {
            listed.extend(entries.map(str::to_owned))
        }
        Some(Comparison::Text { needles: entries, .. }) => needles.extend(entries.map(str::to_owned)),
        Some(Comparison::Number(_, number)) => {
            let number = number.get();
            let near = [
                number,
                number.next_up(),
                number.next_down(),
                number + 1.0,
                number - 1.0,
            ];
            texts.extend(
                near.into_iter()
                    .filter(|one| one.is_finite())
                    .map(|one| format!("{one:e}")),
            );
        }
        Some(Comparison::Date(_, moment)) => texts.extend(near_moments(moment)),
        Some(Comparison::Version(_, version)) => {
            let [major, minor, patch] = version.core();
            let pre = version.pre();
            texts.insert(version.to_string());
            texts.insert(format!("{major}.{minor}.{patch}-0"));
            texts.insert(format!("{major}.{minor}.{patch}"));
            texts.insert(format!("{major}.{minor}.{}-0", patch.saturating_add(1)));
            if !pre.is_empty() {
                texts.insert(format!("{major}.{minor}.{patch}-{pre}.0"));
            }
        }
        Some(Comparison::Within(networks)) => {
            networks.iter().for_each(|network| around_network(network, texts))
        }
        Some(Comparison::Pattern(pattern)) => needles.extend(matching::texts(&pattern)),
        None => {}
    }
}

/// Moments near one. What lies before the first year or behind the last that can be written in UTC is written in the
/// zone that is farthest from it.
fn near_moments(moment: Instant) -> Vec<String> {
    use time::format_description::well_known::Rfc3339;
    const SECOND: i128 = 1_000_000_000;
    const FARTHEST: i128 = (23 * 60 + 59) * 60 * SECOND;
    const DAY: i128 = 24 * 60 * 60 * SECOND;
    let moment = i128::from(moment.unix_seconds()) * SECOND + i128::from(moment.nanoseconds());
    let mut near = Vec::new();
    for step in [0, 1, -1, DAY, -DAY] {
        for (shift, zone) in [(0, "Z"), (FARTHEST, "+23:59"), (-FARTHEST, "-23:59")] {
            let local = OffsetDateTime::from_unix_timestamp_nanos(moment + step + shift).ok();
            let text = local.and_then(|local| local.format(&Rfc3339).ok());
            if let Some(text) = text {
                near.push(text.replace('Z', zone));
                break;
            }
        }
    }
    near
}

fn around_network(network: &Network, texts: &mut BTreeSet<String>) {
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
    for (address, step) in [
        (network.first(), -1_i8),
        (network.first(), 0),
        (network.last(), 0),
        (network.last(), 1),
    ] {
        let moved: Option<IpAddr> = match address {
            IpAddr::V4(address) => u32::from(address)
                .checked_add_signed(step.into())
                .map(|bits| Ipv4Addr::from(bits).into()),
            IpAddr::V6(address) => u128::from(address)
                .checked_add_signed(step.into())
                .map(|bits| Ipv6Addr::from(bits).into()),
        };
        texts.extend(moved.map(|address| address.to_string()));
    }
}
