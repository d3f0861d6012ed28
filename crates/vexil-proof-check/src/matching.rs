//! Texts that a regular expression may match.
//!
//! They are read off its tree, and only tried: what matches is for the engine to say. That a set of texts is
//! matched of which none is among them is possible.

use vexil_values::Pattern;

/// So many texts are made of each part of an expression.
const MOST: usize = 16;

/// A repetition is followed so often, as often as patterns can ask for.
const MOST_TIMES: usize = 1_000;

/// Longer texts are not made.
const LONGEST: usize = 10_000;

/// Texts made of a pattern: of each branch, repeated as often as may be and once more than must be, with
/// letters from the ends of each class.
pub(crate) fn texts(pattern: &Pattern) -> Vec<String> {
    // the tree, parents before their parts
    let mut nodes = vec![pattern.hir()];
    let mut parts = Vec::new();
    let mut next = 0;
    while let Some(node) = nodes.get(next).copied() {
        let first = nodes.len();
        nodes.extend(node.kind().subs());
        parts.push(first..nodes.len());
        next += 1;
    }
    let mut made: Vec<Vec<String>> = vec![Vec::new(); nodes.len()];
    for (place, node) in nodes.iter().enumerate().rev() {
        let inside = parts.get(place).cloned().unwrap_or_default();
        let lengths = |place: usize| nodes.get(place).and_then(|part| part.properties().minimum_len());
        let least = node.properties().minimum_len();
        let own = made.get(inside.clone()).unwrap_or_default();
        let mut all = match own {
            [] if least.is_none_or(|least| least == 0) => vec![String::new()],
            [] => leaf(&node.to_string()),
            [only] => {
                let most = node.properties().maximum_len();
                let unit = lengths(inside.start).unwrap_or_default().max(1);
                repeated(
                    only,
                    least.unwrap_or_default() / unit,
                    most.map(|most| most / unit),
                )
            }
            several => {
                // a sequence is as long as all its parts, a choice as its shortest
                let together = inside
                    .clone()
                    .try_fold(0_usize, |sum, part| sum.checked_add(lengths(part)?));
                let shortest = inside.filter_map(lengths).min();
                let mut all = Vec::new();
                if shortest == least {
                    all.extend(several.iter().flatten().cloned());
                }
                if together == least {
                    all.extend(joined(several));
                }
                all
            }
        };
        all.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
        all.dedup();
        all = spread(all);
        if let Some(made) = made.get_mut(place) {
            *made = all;
        }
    }
    let mut texts = made.into_iter().next().unwrap_or_default();
    texts.retain(|text| !text.is_empty());
    texts
}

/// A literal, or one letter of a class, from how it is written: perhaps in a group, and only characters with
/// a meaning of their own have a backslash in front.
fn leaf(written: &str) -> Vec<String> {
    let grouped = ["(?:", "(?-u:"]
        .iter()
        .find_map(|start| written.strip_prefix(start));
    let written = grouped.and_then(|rest| rest.strip_suffix(')')).unwrap_or(written);
    let mut letters = Vec::new();
    let mut rest = written.chars();
    while let Some(letter) = rest.next() {
        match letter {
            '\\' => letters.extend(rest.next().map(|letter| (letter, true))),
            _ => letters.push((letter, false)),
        }
    }
    let [('[', false), inner @ .., (']', false)] = letters.as_slice() else {
        return vec![letters.into_iter().map(|(letter, _)| letter).collect()];
    };
    let mut ranges = Vec::new();
    let mut rest = inner;
    while let [(from, _), after @ ..] = rest {
        rest = match after {
            [('-', false), (to, _), after @ ..] => {
                ranges.push(*from..=*to);
                after
            }
            _ => {
                ranges.push(*from..=*from);
                after
            }
        };
    }
    let plain = ['~', 'a', '0', 'A'].into_iter();
    let plain = plain.filter(|letter| ranges.iter().any(|range| range.contains(letter)));
    let ends = ranges.iter().flat_map(|range| [*range.start(), *range.end()]);
    let mut chosen: Vec<String> = plain.chain(ends).map(String::from).collect();
    let mut known = std::collections::BTreeSet::new();
    chosen.retain(|letter| known.insert(letter.clone()));
    chosen.truncate(MOST);
    chosen
}

/// Each text as often as it must be, once more, and as often as it may be.
fn repeated(texts: &[String], least: usize, most: Option<usize>) -> Vec<String> {
    let mut counts = vec![least, least + 1, most.unwrap_or(least + 2)];
    counts.retain(|count| *count <= MOST_TIMES + 2 && most.is_none_or(|most| *count <= most));
    counts.dedup();
    let mut all = Vec::new();
    for count in counts {
        let short = texts
            .iter()
            .filter(|text| text.len().saturating_mul(count) <= LONGEST);
        all.extend(short.map(|text| text.repeat(count)));
    }
    all
}

/// One text of each part, joined: all ways, or of so many some.
fn joined(parts: &[Vec<String>]) -> Vec<String> {
    let first = vec![String::new()];
    parts.iter().fold(first, |all, part| {
        let longer = all
            .iter()
            .flat_map(|start| part.iter().map(move |end| format!("{start}{end}")));
        spread(longer.collect())
    })
}

/// At most so many of some texts, from all over the list.
fn spread(all: Vec<String>) -> Vec<String> {
    let count = all.len();
    if count <= MOST {
        return all;
    }
    let chosen = (0..MOST).filter_map(|number| all.get(number * (count - 1) / (MOST - 1)).cloned());
    chosen.collect()
}

#[cfg(test)]
mod tests;
