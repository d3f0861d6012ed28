//! Atoms in the words of the constraints that tell them apart.

mod columns;
mod intervals;

use std::borrow::Cow;

use vexil_domain::{Constraint, Operator};

use super::atoms::{Atom, Atoms, Part};
use super::rules::{Dimension, Purpose, Range, Rules, Test};
use crate::quoting::{pattern, readable};
pub(crate) use columns::Columns;
use intervals::interval_words;

/// So many texts are named.
const NAMED: usize = 8;

/// An atom of a dimension with its place, and whether it is one of those that are chosen.
type Choice<'a> = (usize, &'a Atom, bool);

/// Some atoms of a dimension in words.
pub(crate) fn words(
    rules: &Rules<'_>,
    dimension: usize,
    atoms: &Atoms<'_>,
    columns: &Columns,
    chosen: &[u32],
) -> String {
    let Some(what) = rules.dimensions.get(dimension) else {
        return String::new();
    };
    let inside = |place: &usize| chosen.binary_search(&(*place as u32)).is_ok();
    let places = atoms.list.iter().enumerate();
    let list: Vec<Choice<'_>> = places
        .map(|(place, atom)| (place, atom, inside(&place)))
        .collect();
    match what {
        Dimension::Field(field) => {
            let condition = of_field(rules, dimension, columns, &list);
            [&readable(field), " ", &condition].concat()
        }
        Dimension::Host => format!("the host {}", of_field(rules, dimension, columns, &list)),
        Dimension::Custom { name, .. } => {
            let says = list
                .iter()
                .any(|(_, atom, inside)| *inside && atom.holds == [true]);
            format!(
                "strategy {} says {}",
                readable(name),
                if says { "yes" } else { "no" }
            )
        }
        Dimension::Hash {
            field,
            group,
            purpose,
        } => {
            let kind = match purpose {
                Purpose::Rollout => "buckets",
                Purpose::Variant => "variant buckets",
            };
            let (field, group) = (readable(field), readable(group));
            format!("{field} in {kind} {} of {group}", remainders(&list))
        }
        Dimension::Chance { strategy, group } => {
            let of = match strategy {
                Some(strategy) => format!("strategy {}", readable(strategy.as_str())),
                None => format!("variants of {}", readable(group)),
            };
            format!("chance for {of} falls into {}", remainders(&list))
        }
    }
}

/// Ranges of remainders, counted from 1.
fn remainders(list: &[Choice<'_>]) -> String {
    let inside = list.iter().filter(|(_, _, inside)| *inside);
    let parts = inside.flat_map(|(_, atom, _)| &atom.parts);
    let mut all: Vec<&Vec<Range>> = parts
        .filter_map(|(part, _)| match part {
            Part::Remainders(ranges) => Some(ranges),
            _ => None,
        })
        .collect();
    all.sort();
    let mut merged: Vec<Vec<Range>> = Vec::new();
    for ranges in all {
        match (merged.last_mut().map(Vec::as_mut_slice), ranges.as_slice()) {
            (Some([last]), [next]) if last.modulus == next.modulus && last.to == next.from => {
                last.to = next.to;
            }
            _ => merged.push(ranges.clone()),
        }
    }
    let modulus = |ranges: &[Range]| match ranges {
        [only] if only.modulus == 100 => String::new(),
        [only] => format!(" of {}", only.modulus),
        _ => String::new(),
    };
    let text = |ranges: &Vec<Range>| {
        let several = ranges.len() > 1;
        let one = |range: &Range| {
            let ends = match (range.from.saturating_add(1), range.to) {
                (first, last) if first == last => format!("{first}"),
                (first, last) => format!("{first} to {last}"),
            };
            if several {
                format!("{ends} of {}", range.modulus)
            } else {
                ends
            }
        };
        ranges.iter().map(one).collect::<Vec<_>>().join(" and ")
    };
    let suffix = merged.first().map(|ranges| modulus(ranges)).unwrap_or_default();
    let more = merged.len().saturating_sub(NAMED);
    let mut texts: Vec<String> = merged.iter().take(NAMED).map(text).collect();
    if more > 0 {
        texts.push(format!("{more} more ranges"));
    }
    format!("{}{suffix}", joined(&texts, "and"))
}

fn is_unset(part: &Part) -> bool {
    matches!(part, Part::Unset | Part::Now(_))
}

/// A condition on a field: for values first, then whether it may be unset.
fn of_field(rules: &Rules<'_>, dimension: usize, columns: &Columns, list: &[Choice<'_>]) -> String {
    let has_set = |atom: &Atom| atom.parts.is_empty() || atom.parts.iter().any(|(part, _)| !is_unset(part));
    let set: Vec<Choice<'_>> = list
        .iter()
        .filter(|(_, atom, _)| has_set(atom))
        .copied()
        .collect();
    let set_inside = set.iter().filter(|(_, _, inside)| *inside).count();
    let mut texts = Vec::new();
    if set_inside == set.len() && set_inside > 0 {
        texts.push("is set".to_owned());
    } else if set_inside > 0 {
        texts.extend(of_values(rules, dimension, columns, &set));
    }
    let parts = |wanted: bool| {
        let atoms = list.iter().filter(move |(_, _, inside)| *inside == wanted);
        let parts = atoms.flat_map(|(_, atom, _)| &atom.parts).map(|(part, _)| part);
        parts.filter(|part| is_unset(part))
    };
    if parts(true).next().is_some() && parts(false).next().is_none() {
        texts.push("is unset".to_owned());
    } else {
        texts.extend(parts(true).map(|part| match part {
            Part::Now(interval) => format!("is unset and the present {}", interval_words(interval)),
            _ => "is unset".to_owned(),
        }));
    }
    texts.dedup();
    texts.join(", or ")
}

/// Conditions, each a conjunction, that together admit exactly the values inside.
fn of_values(rules: &Rules<'_>, dimension: usize, columns: &Columns, list: &[Choice<'_>]) -> Vec<String> {
    let literals: Vec<Test<'_>> = rules
        .by_dimension
        .get(dimension)
        .into_iter()
        .flatten()
        .filter_map(|number| rules.literals.get(*number))
        .map(|literal| literal.test)
        .collect();
    let chosen = |wanted: bool| {
        let own = list.iter().filter(move |(_, _, inside)| *inside == wanted);
        columns.set(own.map(|(place, ..)| *place))
    };
    let (inside, outside) = (chosen(true), chosen(false));
    for wanted in [true, false] {
        for (place, test) in literals.iter().enumerate() {
            if columns.tells(place, wanted, &inside, &outside)
                && let Some(text) = test_words(test, wanted)
            {
                return vec![text];
            }
        }
    }
    let others = list.iter().filter(|(_, _, inside)| !inside);
    let others: Option<Vec<Vec<&str>>> = others.map(|(_, atom, _)| names(atom)).collect();
    if let Some(others) = others {
        return vec![neither(others.into_iter().flatten())];
    }
    let mut named: Vec<&str> = Vec::new();
    let mut left: Vec<Choice<'_>> = Vec::new();
    for choice in list.iter().filter(|(_, _, inside)| *inside) {
        match names(choice.1) {
            Some(texts) => named.extend(texts),
            None => left.push(*choice),
        }
    }
    let mut texts = Vec::new();
    if !named.is_empty() {
        texts.push(either(named.into_iter()));
    }
    while let Some((_, first, _)) = left.first() {
        let chosen = columns.conjunction(&first.holds, &outside);
        let text: Vec<String> = chosen
            .iter()
            .filter_map(|place| {
                let wanted = first.holds.get(*place).copied().unwrap_or_default();
                test_words(literals.get(*place)?, wanted)
            })
            .collect();
        let same = |atom: &Atom| {
            let mut chosen = chosen.iter();
            chosen.all(|place| atom.holds.get(*place) == first.holds.get(*place))
        };
        if text.is_empty() {
            texts.push("is another text".to_owned());
        } else {
            texts.push(text.join(" and "));
        }
        left = left.iter().filter(|(_, atom, _)| !same(atom)).copied().collect();
    }
    texts
}

/// The texts that an atom consists of, where these are all.
fn names(atom: &Atom) -> Option<Vec<&str>> {
    let parts = atom.parts.iter().map(|(part, _)| part);
    let set = parts.filter(|part| !is_unset(part));
    set.map(|part| match part {
        Part::Listed(text) => Some(text.as_str()),
        Part::Host(Some(name)) => Some(name.as_str()),
        _ => None,
    })
    .collect()
}

/// A test of a value in words, or that it does not hold.
fn test_words(test: &Test<'_>, wanted: bool) -> Option<String> {
    match test {
        Test::Constraint(constraint) => Some(constraint_words(constraint, wanted)),
        Test::Users(list) | Test::Hosts(list) => Some(listed(list.split(',').map(str::trim), wanted)),
        Test::Listed(values) => Some(listed(values.iter().map(String::as_str), wanted)),
        Test::Addresses(list) => Some(within(list.split(',').map(str::trim), wanted)),
        Test::Set(_) | Test::Remainder(_) | Test::Says => None,
    }
}

fn constraint_words(constraint: &Constraint, wanted: bool) -> String {
    let wanted = wanted != constraint.is_inverted();
    let values = || constraint.values.iter().map(|value| value.trim());
    let value = readable(constraint.value.as_deref().unwrap_or_default().trim());
    let case = if constraint.is_case_insensitive() {
        " in any case"
    } else {
        ""
    };
    let looks = |yes: &str, no: &str| {
        let verb = if wanted { yes } else { no };
        [verb, " ", &joined(&texts(values()), "or"), case].concat()
    };
    let compared = |is: &str| {
        let verb = if wanted { "is " } else { "is not " };
        [verb, is, " ", &value].concat()
    };
    match &constraint.operator {
        Operator::In => listed(values(), wanted),
        Operator::NotIn => listed(values(), !wanted),
        Operator::InCidr => within(values(), wanted),
        Operator::StrStartsWith => looks("starts with", "does not start with"),
        Operator::StrEndsWith => looks("ends with", "does not end with"),
        Operator::StrContains => looks("contains", "does not contain"),
        Operator::NumEq => compared("the number"),
        Operator::NumGt => compared("above"),
        Operator::NumGte => compared("at least"),
        Operator::NumLt => compared("below"),
        Operator::NumLte => compared("at most"),
        Operator::DateAfter => compared("after"),
        Operator::DateBefore => compared("before"),
        Operator::SemverEq => compared("version"),
        Operator::SemverGt => compared("above version"),
        Operator::SemverGte => compared("at least version"),
        Operator::SemverLt => compared("below version"),
        Operator::SemverLte => compared("at most version"),
        Operator::Regex => {
            let verb = if wanted { "matches" } else { "does not match" };
            let pattern = pattern(constraint.value.as_deref().unwrap_or_default().trim());
            format!("{verb} {pattern}{case}")
        }
        Operator::Unknown(name) => format!("meets {}", readable(name)),
    }
}

fn listed<'v>(values: impl Iterator<Item = &'v str>, wanted: bool) -> String {
    let values = values.filter(|value| !value.is_empty());
    if wanted { either(values) } else { neither(values) }
}

fn either<'v>(values: impl Iterator<Item = &'v str>) -> String {
    ["is ", &joined(&texts(values), "or")].concat()
}

fn neither<'v>(values: impl Iterator<Item = &'v str>) -> String {
    match texts(values).as_slice() {
        [] => "is set".to_owned(),
        [only] => ["is not ", only].concat(),
        several => ["is neither ", &joined(several, "nor")].concat(),
    }
}

fn within<'v>(networks: impl Iterator<Item = &'v str>, wanted: bool) -> String {
    let networks = networks.filter(|network| !network.is_empty());
    let verb = if wanted { "is in" } else { "is not in" };
    [verb, " ", &joined(&texts(networks), "or")].concat()
}

/// A few texts, and how many there are besides.
fn texts<'v>(values: impl Iterator<Item = &'v str>) -> Vec<Cow<'v, str>> {
    let mut values: Vec<&str> = values.collect();
    values.sort_unstable();
    values.dedup();
    let mut texts = Vec::with_capacity(values.len().min(NAMED + 1));
    texts.extend(values.iter().take(NAMED).map(|value| readable(value)));
    if let Some(more @ 1..) = values.len().checked_sub(NAMED) {
        texts.push(Cow::Owned(format!("{more} more")));
    }
    texts
}

fn joined(texts: &[impl AsRef<str>], word: &str) -> String {
    let Some(((last, rest), first)) = texts.split_last().zip(texts.first()) else {
        return "nothing".to_owned();
    };
    let own = texts.iter().map(|text| text.as_ref().len() + ", ".len());
    let mut all = String::with_capacity(own.sum::<usize>() + word.len());
    all.push_str(first.as_ref());
    for text in rest.iter().skip(1) {
        all.push_str(", ");
        all.push_str(text.as_ref());
    }
    if !rest.is_empty() {
        [" ", word, " ", last.as_ref()]
            .iter()
            .for_each(|text| all.push_str(text));
    }
    all
}

#[cfg(test)]
mod tests;
