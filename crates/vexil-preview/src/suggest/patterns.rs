//! Texts that regular expressions match.

use regex_syntax::hir::{Class, Hir, HirKind};

use super::candidates::Candidates;

/// So many texts are made of one pattern.
const SAMPLES: usize = 16;

pub(super) fn add(patterns: &[&str], found: &mut Candidates) {
    for pattern in patterns {
        let Ok(parsed) = regex_syntax::parse(pattern) else {
            continue;
        };
        for sample in samples(&parsed) {
            found.add(sample.as_str());
            found.add(format!("{sample}x"));
            found.add(format!("x{sample}"));
        }
    }
}

/// A few texts that fit, repetitions as short as they may be.
fn samples(part: &Hir) -> Vec<String> {
    let mut all = match part.kind() {
        HirKind::Empty | HirKind::Look(_) => vec![String::new()],
        HirKind::Literal(literal) => vec![String::from_utf8_lossy(&literal.0).into_owned()],
        HirKind::Class(Class::Unicode(class)) => {
            let ends = class
                .ranges()
                .iter()
                .flat_map(|range| [range.start(), range.end()]);
            let plain = class.ranges().iter().find_map(|range| {
                ('a'..='z')
                    .chain('0'..='9')
                    .find(|one| (range.start()..=range.end()).contains(one))
            });
            plain.into_iter().chain(ends).map(String::from).collect()
        }
        HirKind::Class(Class::Bytes(class)) => class
            .ranges()
            .iter()
            .map(|range| char::from(range.start()).to_string())
            .collect(),
        HirKind::Repetition(repetition) => {
            let once = samples(&repetition.sub);
            let least = repetition.min as usize;
            let most = repetition
                .max
                .map_or(least.max(1), |max| (max as usize).min(least.max(1)));
            once.iter()
                .flat_map(|text| [text.repeat(least), text.repeat(most)])
                .collect()
        }
        HirKind::Capture(capture) => samples(&capture.sub),
        HirKind::Alternation(parts) => parts.iter().flat_map(samples).collect(),
        HirKind::Concat(parts) => parts.iter().fold(vec![String::new()], |all, part| {
            let next = samples(part);
            let joined = all
                .iter()
                .flat_map(|start| next.iter().map(move |end| format!("{start}{end}")));
            joined.take(SAMPLES).collect()
        }),
    };
    all.truncate(SAMPLES);
    all
}
