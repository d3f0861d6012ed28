//! Whether a licence expression can be met with licences from an allowed list.

/// Whether one can satisfy `expression` (SPDX, or the older `A/B`) with licences of `allowed` alone. `None`: the
/// expression cannot be read.
pub(crate) fn allows(expression: &str, allowed: &[&str]) -> Option<bool> {
    let spaced = expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    let answer = either(&mut rest, allowed)?;
    rest.is_empty().then_some(answer)
}

/// `A OR B …`
fn either(words: &mut &[&str], allowed: &[&str]) -> Option<bool> {
    let mut answer = both(words, allowed)?;
    while let ["OR" | "or", rest @ ..] = *words {
        *words = rest;
        answer |= both(words, allowed)?;
    }
    Some(answer)
}

/// `A AND B …`
fn both(words: &mut &[&str], allowed: &[&str]) -> Option<bool> {
    let mut answer = one(words, allowed)?;
    while let ["AND" | "and", rest @ ..] = *words {
        *words = rest;
        answer &= one(words, allowed)?;
    }
    Some(answer)
}

/// `A`, `A WITH exception` or `( … )`
fn one(words: &mut &[&str], allowed: &[&str]) -> Option<bool> {
    match *words {
        ["(", rest @ ..] => {
            *words = rest;
            let answer = either(words, allowed)?;
            let [")", rest @ ..] = *words else { return None };
            *words = rest;
            Some(answer)
        }
        [name, "WITH", exception, rest @ ..] => {
            *words = rest;
            Some(allowed.contains(&format!("{name} WITH {exception}").as_str()) || allowed.contains(name))
        }
        [name, rest @ ..] if !matches!(*name, ")" | "AND" | "OR" | "WITH") => {
            *words = rest;
            Some(allowed.contains(name))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::allows;

    const ALLOWED: &[&str] = &["MIT", "Apache-2.0", "Unicode-3.0"];

    #[test]
    fn one_allowed_licence_of_a_choice_is_enough() {
        for expression in [
            "MIT",
            "MIT OR GPL-3.0-only",
            "GPL-3.0-only/MIT",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert_eq!(allows(expression, ALLOWED), Some(true), "{expression}");
        }
    }

    #[test]
    fn every_licence_of_a_sum_must_be_allowed() {
        assert_eq!(allows("(MIT OR Apache-2.0) AND Unicode-3.0", ALLOWED), Some(true));
        assert_eq!(allows("MIT AND GPL-3.0-only", ALLOWED), Some(false));
        assert_eq!(
            allows("(MIT AND AGPL-3.0-only) OR SSPL-1.0", ALLOWED),
            Some(false)
        );
    }

    #[test]
    fn and_binds_closer_than_or() {
        assert_eq!(
            allows("MIT OR GPL-2.0-only AND GPL-3.0-only", ALLOWED),
            Some(true)
        );
        assert_eq!(
            allows("(MIT OR GPL-2.0-only) AND GPL-3.0-only", ALLOWED),
            Some(false)
        );
    }

    #[test]
    fn what_is_no_expression_is_not_allowed() {
        for expression in ["", "MIT OR", "(MIT", "MIT)", "MIT Apache-2.0", "AND"] {
            assert_eq!(allows(expression, ALLOWED), None, "{expression}");
        }
    }
}
