//! Values at, just before and just behind all that a field is compared with.

use std::collections::BTreeSet;

use time::OffsetDateTime;
use vexil_domain::{ActivationStrategy, Constraint};
use vexil_values::{Comparison, Instant, Network, Number, read};

use crate::atoms::Grid;
use crate::matching;

/// So many values are put together with what is looked for,
const MOST_SAID: usize = 32;
/// with so much of it.
const MOST_HELD: usize = 16;
/// What is looked for is put together with so much else that is looked for.
const MOST_BESIDE: usize = 32;
/// So much of it, and so many texts of each pattern, are put together in every way.
const MOST_JOINED: usize = 5;
const MOST_OF_PATTERN: usize = 2;
/// The largest offset of a zone, in seconds.
const FARTHEST: i64 = (23 * 60 + 59) * 60;

/// Values that any field may have.
const USUAL: [&str; 9] = [
    "~",
    "other",
    "0",
    "-1",
    "1e9",
    "2000-01-01",
    "0.0.0",
    "10.0.0.1",
    "::1",
];

/// What a field is compared with.
#[derive(Default)]
struct Compared {
    /// Texts that say a value at, before or behind one.
    values: BTreeSet<String>,
    listed: BTreeSet<String>,
    /// What is looked for in texts, as it is and in other cases; of patterns, texts that match.
    needles: BTreeSet<String>,
    /// The same as it is, and of each pattern the shortest only.
    plainest: BTreeSet<String>,
}

impl Grid<'_> {
    /// Texts at, before and behind all that a field is compared with; and those that are listed.
    pub(crate) fn neighbours(&self, field: &str) -> (BTreeSet<String>, BTreeSet<String>) {
        let mut found = self.compared(field);
        let overrides = self.overrides(field).flatten();
        found
            .listed
            .extend(overrides.filter(|text| !text.is_empty()).cloned());
        let needles = &found.needles;
        // a text can say a value and hold what is looked for: behind a version's `+`, or in its digits
        let values = found.values.iter();
        let values = values.filter(|text| !USUAL.contains(&text.as_str()));
        let said: Vec<String> = values
            .take(MOST_SAID)
            .flat_map(|value| needles.iter().take(MOST_HELD).flat_map(|held| both(value, held)))
            .collect();
        let mut texts = found.values;
        texts.extend(USUAL.map(str::to_owned));
        texts.extend(said);
        texts.extend(beside(needles));
        let plainest = found.plainest.iter().map(String::as_str);
        texts.extend(joined(&plainest.take(MOST_JOINED).collect::<Vec<_>>()));
        texts.extend(self.grafted(field, needles));
        (texts, found.listed)
    }

    /// What strategies that are switched on compare a field with.
    fn compared(&self, field: &str) -> Compared {
        let mut found = Compared::default();
        for (snapshot, flag) in self.flags() {
            let strategies = flag.settings.strategies.iter();
            for strategy in strategies.filter(|strategy| !strategy.disabled) {
                let segments = strategy.segments.iter();
                let shared = segments.filter_map(|id| snapshot.segments.get(id));
                let all = strategy.constraints.iter();
                let all = all.chain(shared.flat_map(|segment| &segment.constraints));
                for constraint in all.filter(|constraint| constraint.context_name == field) {
                    found.add(constraint);
                }
                found.add_rule(strategy, field);
            }
        }
        found
    }
}

impl Compared {
    /// What the rule of a strategy compares a field with.
    fn add_rule(&mut self, strategy: &ActivationStrategy, field: &str) {
        let rule = match (strategy.name.as_str(), field) {
            ("userWithId", "userId") => strategy.parameters.get("userIds"),
            ("remoteAddress", "remoteAddress") => strategy.parameters.get("IPs"),
            _ => None,
        };
        let entries = rule.into_iter().flat_map(|list| list.split(',')).map(str::trim);
        for entry in entries.filter(|entry| !entry.is_empty()) {
            if field == "userId" {
                self.listed.insert(entry.to_owned());
            } else if let Some(network) = Network::parse(entry) {
                around_network(&network, &mut self.values);
            }
        }
    }

    fn add(&mut self, constraint: &Constraint) {
        around(constraint, &mut self.values, &mut self.listed, &mut self.needles);
        self.plainest.extend(plainest(constraint));
    }
}

/// What is looked for, alone and beside something else that is looked for.
fn beside(needles: &BTreeSet<String>) -> Vec<String> {
    let mut texts = Vec::new();
    for one in needles {
        texts.extend([
            one.clone(),
            format!("{one}~"),
            format!("~{one}"),
            format!("~{one}~"),
        ]);
        for other in needles.iter().take(MOST_BESIDE) {
            texts.extend([
                format!("{one}~{other}"),
                format!("~{one}~{other}~"),
                format!("{one}{other}"),
            ]);
        }
    }
    texts
}

/// What is looked for by a constraint; of a pattern the shortest that may match.
fn plainest(constraint: &Constraint) -> Vec<String> {
    match read(constraint, drop) {
        Some(Comparison::Text { needles, .. }) => needles.map(str::to_owned).collect(),
        Some(Comparison::Pattern(pattern)) => {
            let mut texts = matching::texts(&pattern);
            texts.sort_by_key(String::len);
            texts.truncate(MOST_OF_PATTERN);
            texts
        }
        _ => Vec::new(),
    }
}

/// One text at the start, one at the end, and any of them between.
fn joined(texts: &[&str]) -> Vec<String> {
    let mut all = Vec::new();
    let subsets = 1_usize << texts.len();
    for (start, end) in texts
        .iter()
        .flat_map(|start| texts.iter().map(move |end| (start, end)))
    {
        for subset in 1..subsets {
            let chosen = texts.iter().enumerate();
            let chosen = chosen.filter(|(place, _)| subset >> place & 1 == 1);
            let parts: Vec<&str> = chosen.map(|(_, text)| *text).collect();
            all.push(format!("{start}~{}~{end}", parts.join("~")));
            if let [only] = parts.as_slice() {
                all.push(format!("{start}{only}{end}"));
            }
        }
    }
    all
}

/// Texts that may say a value and hold something that is looked for.
fn both(value: &str, held: &str) -> Vec<String> {
    let mut texts = overlaid(value, held);
    // a moment with a fraction of its second
    let moment = value.trim_end_matches('Z');
    texts.extend([
        format!("{moment}.{held}Z"),
        format!("{moment}.0{held}"),
        format!("{moment}{held}Z"),
        format!("{value}{held}"),
        format!("{held}{value}"),
        format!("{value}+{held}"),
        format!("{value}-{held}"),
        format!("{held}+{value}"),
        format!("{value}+~{held}~"),
        format!("{value}+-{held}"),
        format!("{value}+{held}-"),
    ]);
    if let Some(number) = Number::parse(value) {
        // digits that are rounded away, and the same number by another exponent
        let plain = number.get().to_string();
        let point = if plain.contains('.') { "" } else { "." };
        texts.push(format!("{plain}{point}{:0>40}{held}", ""));
        texts.extend((1..=3).map(|zeros| format!("{held}e-{zeros}")));
        // zeros in front, of the number and of its exponent
        let digits = value.trim_start_matches(['+', '-']);
        let sign = value.strip_suffix(digits).unwrap_or_default();
        texts.extend([format!("{held}{digits}"), format!("{sign}{held}{digits}")]);
        if let Some((mantissa, exponent)) = value.split_once('e') {
            let exponent = exponent.trim_start_matches('-');
            texts.push(format!("{mantissa}e{held}{exponent}"));
            texts.push(format!("{mantissa}{held}{exponent}"));
        }
    }
    texts
}

/// Texts that say a moment and hold what is looked for, in the place of letters like its own: in UTC, in the zone that
/// it ends with, without a zone, without seconds, and with a fraction; and in the zone that the letters make it.
fn overlaid(value: &str, held: &str) -> Vec<String> {
    use time::format_description::well_known::Rfc3339;
    let Some(moment) = Instant::parse(value) else {
        return Vec::new();
    };
    let zone = held
        .len()
        .checked_sub("+00:00".len())
        .and_then(|start| held.get(start..));
    let zone = zone.and_then(|zone| Instant::parse(&format!("1970-01-01T00:00:00{zone}")));
    let east = zone.map(|zone| -zone.unix_seconds()).unwrap_or_default();
    let in_zone = |east: i64| {
        let local = Instant::of_unix(moment.unix_seconds() + east, moment.nanoseconds())?;
        OffsetDateTime::try_from(local).ok()?.format(&Rfc3339).ok()
    };
    let mut forms = vec![
        value.to_owned(),
        value.replace('Z', "+00:00"),
        value.replace('Z', "-00:00"),
    ];
    forms.extend([FARTHEST, -FARTHEST].into_iter().filter_map(in_zone));
    if let Some(local) = in_zone(east) {
        let local = local.trim_end_matches('Z');
        let (whole, fraction) = local.split_once('.').unwrap_or((local, ""));
        for end in ["", "Z", "+00:00", "-00:00"] {
            forms.extend([format!("{local}{end}"), format!("{whole}.{fraction:0<9}{end}")]);
            forms.extend(whole.get(..16).map(|minutes| format!("{minutes}{end}")));
        }
        forms.extend(whole.get(..10).map(str::to_owned));
    }
    let is_like = |one: u8, other: u8| {
        let kind = |letter: u8| match letter {
            b'0'..=b'9' => b'0',
            b'T' | b't' | b' ' => b'T',
            b'+' | b'-' => b'-',
            other => other.to_ascii_uppercase(),
        };
        kind(one) == kind(other)
    };
    let mut texts = Vec::new();
    for form in &forms {
        for start in 0..=form.len().saturating_sub(held.len()) {
            let (Some(before), Some(own)) = (form.get(..start), form.get(start..)) else {
                continue;
            };
            let Some((own, behind)) = own.split_at_checked(held.len()) else {
                continue;
            };
            if own
                .bytes()
                .zip(held.bytes())
                .all(|(one, other)| is_like(one, other))
            {
                let text = format!("{before}{held}{behind}");
                texts.extend(elsewhere(&text, moment));
                texts.push(text);
            }
        }
    }
    texts.sort_unstable();
    texts.dedup();
    texts.retain(|text| Instant::parse(text).is_some());
    texts
}

/// The same letters in front of the zone in which they say a moment; `None` where there is none.
fn elsewhere(text: &str, moment: Instant) -> Option<String> {
    let (local, said) = (text.strip_suffix('Z')?, Instant::parse(text)?);
    let ahead = said.unix_seconds() - moment.unix_seconds();
    let (hours, minutes) = (ahead.abs() / 3600, ahead.abs() / 60 % 60);
    let sign = if ahead < 0 { '-' } else { '+' };
    (ahead % 60 == 0 && hours < 24).then(|| format!("{local}{sign}{hours:02}:{minutes:02}"))
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
        Some(Comparison::Text {
            needles: entries,
            ignore_case,
            ..
        }) => entries.for_each(|entry| {
            if ignore_case {
                needles.extend(other_cases(entry));
            }
            needles.insert(entry.to_owned());
        }),
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

/// A text with its letters in other cases: that one comparison takes for the same and another for a different text.
fn other_cases(text: &str) -> [String; 3] {
    let mixed = text.chars().enumerate().map(|(place, letter)| {
        if place % 2 == 0 {
            letter.to_lowercase().to_string()
        } else {
            letter.to_uppercase().to_string()
        }
    });
    [text.to_uppercase(), text.to_lowercase(), mixed.collect()]
}

/// Moments near one. What lies before the first year or behind the last that can be written in UTC is written in the
/// zone that is farthest from it.
fn near_moments(moment: Instant) -> Vec<String> {
    use time::format_description::well_known::Rfc3339;
    const SECOND: i128 = 1_000_000_000;
    const DAY: i128 = 24 * 60 * 60 * SECOND;
    let moment = i128::from(moment.unix_seconds()) * SECOND + i128::from(moment.nanoseconds());
    let mut near = Vec::new();
    for step in [0, 1, -1, DAY, -DAY] {
        for (shift, zone) in [(0, "Z"), (FARTHEST, "+23:59"), (-FARTHEST, "-23:59")] {
            let shift = i128::from(shift) * SECOND;
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
