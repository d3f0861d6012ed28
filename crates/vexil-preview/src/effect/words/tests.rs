//! Lists in words.

use super::*;
use crate::effect::probe::Sample;

#[test]
fn eight_texts_are_named_and_of_others_it_is_said_how_many_they_are() {
    for count in 0..20_usize {
        // the last ones first, each twice
        let names: Vec<String> = (10..10 + count).map(|number| format!("n{number}")).collect();
        let twice = names.iter().chain(&names).rev().map(String::as_str);
        let found = texts(twice);
        let more = count.checked_sub(8).filter(|more| *more > 0);
        let more = more.map(|more| format!("{more} more"));
        let expected: Vec<String> = names.iter().take(8).cloned().chain(more).collect();
        assert_eq!(found, expected, "{count}");
        let said = joined(&found, "or");
        let parts: Vec<&str> = said.split(" or ").flat_map(|part| part.split(", ")).collect();
        let nothing = ["nothing".to_owned()];
        assert_eq!(
            parts,
            if expected.is_empty() {
                &nothing[..]
            } else {
                &expected
            },
            "{said}"
        );
        assert_eq!(
            said.matches(" or ").count(),
            usize::from(expected.len() > 1),
            "{said}"
        );
    }
}

#[test]
fn eight_ranges_are_named_counted_from_one_with_neighbours_put_together() {
    let atom = |ranges: &[(u64, u64, u64)]| Atom {
        holds: Vec::new(),
        pinned: None,
        share: None,
        parts: ranges
            .iter()
            .map(|(modulus, from, to)| {
                let (modulus, from, to) = (*modulus, *from, *to);
                (Part::Remainders(vec![Range { modulus, from, to }]), Sample::Unset)
            })
            .collect(),
    };
    let said = |ranges: &[(u64, u64, u64)]| {
        let (own, other) = (atom(ranges), atom(&[(100, 90, 100)]));
        remainders(&[(0, &other, false), (1, &own, true)])
    };
    assert_eq!(said(&[]), "nothing");
    assert_eq!(said(&[(100, 0, 1)]), "1");
    assert_eq!(said(&[(100, 99, 100)]), "100");
    assert_eq!(said(&[(1000, 0, 333)]), "1 to 333 of 1000");
    assert_eq!(said(&[(100, 20, 30), (100, 0, 10), (100, 10, 20)]), "1 to 30");
    assert_eq!(said(&[(100, 0, 10), (100, 11, 20)]), "1 to 10 and 12 to 20");
    for count in 1..12 {
        let ranges: Vec<(u64, u64, u64)> = (0..count).map(|place| (100, 3 * place, 3 * place + 2)).collect();
        let all = said(&ranges);
        let named = all.matches(" to ").count() as u64;
        assert_eq!(named, count.min(8), "{all}");
        let more = all
            .split(" and ")
            .last()
            .unwrap()
            .strip_suffix(" more ranges")
            .map(str::to_owned);
        assert_eq!(more, (count > 8).then(|| (count - 8).to_string()), "{all}");
    }
    let both = Part::Remainders(vec![
        Range {
            modulus: 100,
            from: 0,
            to: 10,
        },
        Range {
            modulus: 1000,
            from: 4,
            to: 5,
        },
    ]);
    let two = Atom {
        parts: vec![(both, Sample::Unset)],
        ..atom(&[])
    };
    assert_eq!(remainders(&[(0, &two, true)]), "1 to 10 of 100 and 5 of 1000");
}
