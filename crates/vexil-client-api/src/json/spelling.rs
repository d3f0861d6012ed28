//! What somebody most likely meant who misspelt a name.

/// The known name that is most likely meant: the same in other letters, or one or two letters off.
#[must_use]
pub fn closest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return None;
    }
    let name = name.to_lowercase();
    let far = |other: &str| distance(name.as_bytes(), other.to_lowercase().as_bytes());
    let (meant, far) = known
        .iter()
        .map(|other| (*other, far(other)))
        .min_by_key(|(_, far)| *far)?;
    (far <= 2 && far < name.len()).then_some(meant)
}

/// How many letters must be put in, taken out or exchanged (Levenshtein distance).
fn distance(from: &[u8], to: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (at, letter) in from.iter().enumerate() {
        let mut diagonal = at;
        let mut left = at + 1;
        let mut next = vec![left];
        for (other, above) in to.iter().zip(row.iter().skip(1)) {
            let exchanged = diagonal + usize::from(letter != other);
            left = exchanged.min(above + 1).min(left + 1);
            diagonal = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}
