//! Texts that regular expressions match.

use regex_syntax::hir::{Class, Hir, HirKind};
use vexil_budget::Exhausted;
use vexil_values::Pattern;

use super::found::Candidates;

/// So many texts are made of one pattern.
const SAMPLES: usize = 16;
/// Texts longer than this are left out, in bytes.
const LONGEST: usize = 256;
/// What it may take to look through one letter of a pattern, in units of work.
const LETTER: usize = 64;

pub(super) fn add(patterns: &[Pattern], found: &mut Candidates<'_>) -> Result<(), Exhausted> {
    for pattern in patterns {
        found.pay(pattern.as_str().len() * LETTER)?;
        for sample in samples(pattern.hir()) {
            found.add(sample.as_str())?;
            found.add(format!("{sample}x"))?;
            found.add(format!("x{sample}"))?;
        }
    }
    Ok(())
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
            let all = plain.into_iter().chain(ends);
            all.take(SAMPLES).map(String::from).collect()
        }
        HirKind::Class(Class::Bytes(class)) => class
            .ranges()
            .iter()
            .map(|range| char::from(range.start()).to_string())
            .take(SAMPLES)
            .collect(),
        HirKind::Repetition(repetition) => {
            let once = samples(&repetition.sub);
            let least = repetition.min as usize;
            let most = repetition
                .max
                .map_or(least.max(1), |max| (max as usize).min(least.max(1)));
            let fits = |times: &usize, text: &String| text.len().saturating_mul(*times) <= LONGEST;
            once.iter()
                .flat_map(|text| [(text, least), (text, most)])
                .filter(|(text, times)| fits(times, text))
                .map(|(text, times)| text.repeat(times))
                .collect()
        }
        HirKind::Capture(capture) => samples(&capture.sub),
        HirKind::Alternation(parts) => parts.iter().flat_map(samples).collect(),
        HirKind::Concat(parts) => parts.iter().fold(vec![String::new()], |all, part| {
            let next = samples(part);
            let joined = all
                .iter()
                .flat_map(|start| next.iter().map(move |end| format!("{start}{end}")));
            joined
                .filter(|text| text.len() <= LONGEST)
                .take(SAMPLES)
                .collect()
        }),
    };
    all.truncate(SAMPLES);
    all
}
