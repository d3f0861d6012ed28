use super::*;
use crate::effect::tests::sides::Random;

fn range(modulus: u64, from: u64, to: u64) -> Range {
    Range { modulus, from, to }
}

/// Counts every remainder modulo the least common multiple, one by one.
fn counted(tests: &[Range]) -> Vec<(Vec<bool>, Share)> {
    let whole = tests.iter().fold(1, |whole: u128, test| {
        let modulus = u128::from(test.modulus);
        whole * modulus / gcd(whole, modulus)
    });
    let mut counts: Vec<(Vec<bool>, u128)> = Vec::new();
    for number in 0..whole {
        let holds: Vec<bool> = tests
            .iter()
            .map(|test| {
                let rest = (number % u128::from(test.modulus)) as u64;
                test.from <= rest && rest < test.to
            })
            .collect();
        match counts.iter_mut().find(|(known, _)| *known == holds) {
            Some((_, count)) => *count += 1,
            None => counts.push((holds, 1)),
        }
    }
    let share = |(holds, count)| (holds, Share::new(count, whole));
    let mut shares: Vec<_> = counts.into_iter().map(share).collect();
    shares.sort_by(|one, other| one.0.cmp(&other.0));
    shares
}

#[test]
fn shares_of_cells_are_those_of_counting_every_remainder() {
    for tests in [
        &[range(100, 0, 10), range(100, 0, 60)][..],
        &[range(100, 0, 50), range(1000, 0, 333), range(1000, 333, 1000)],
        &[range(12, 3, 7), range(18, 0, 5), range(30, 11, 29)],
        &[range(7, 0, 3), range(13, 5, 13), range(4, 1, 2)],
        &[range(8, 0, 3), range(4, 0, 1), range(2, 1, 2)],
    ] {
        let mut found: Vec<_> = of_hash(tests, &Budget::unlimited())
            .unwrap()
            .into_iter()
            .map(|cell| (cell.holds, cell.share.unwrap()))
            .collect();
        found.sort_by(|one, other| one.0.cmp(&other.0));
        assert_eq!(found, counted(tests), "{tests:?}");
    }
}

#[test]
fn a_rollout_from_ten_to_sixty_percent_has_three_cells() {
    let cells = of_hash(&[range(100, 0, 10), range(100, 0, 60)], &Budget::unlimited()).unwrap();
    let shares: Vec<_> = cells
        .iter()
        .map(|cell| (cell.holds.as_slice(), cell.share.unwrap()))
        .collect();
    assert_eq!(
        shares,
        [
            (&[true, true][..], Share::new(1, 10)),
            (&[false, true], Share::new(1, 2)),
            (&[false, false], Share::new(2, 5)),
        ]
    );
}

#[test]
fn chance_is_cut_at_every_fraction() {
    let cells = of_chance(&[range(3, 0, 1), range(2, 0, 1)], &Budget::unlimited()).unwrap();
    let shares: Vec<_> = cells.iter().map(|cell| cell.share.unwrap()).collect();
    assert_eq!(shares, [Share::new(1, 3), Share::new(1, 6), Share::new(1, 2)]);
}

/// Ranges of some of these moduli, some of them empty and some all there is.
fn drawn(moduli: &[u64], random: &mut Random) -> Vec<Range> {
    let one = |_| {
        let modulus = *random.one_of(moduli);
        let mut ends = [(); 2].map(|()| random.below(modulus as usize + 1) as u64);
        ends.sort_unstable();
        range(modulus, ends[0], ends[1])
    };
    (0..4).map(one).collect()
}

#[test]
fn each_remainder_is_in_one_part_of_the_cell_whose_tests_it_meets() {
    let mut random = Random(2);
    for round in 0..200 {
        let moduli: &[u64] = [&[6][..], &[4, 6], &[2, 3, 5], &[4, 8, 12], &[100, 20, 7]][round % 5];
        let tests = drawn(moduli, &mut random);
        let tests = &tests[..round % 4 + 1];
        let cells = of_hash(tests, &Budget::unlimited()).unwrap();
        let mut asked: Vec<u64> = tests.iter().map(|test| test.modulus).collect();
        asked.sort_unstable();
        asked.dedup();
        let whole = asked.iter().fold(1, |whole, modulus| {
            let common = gcd(u128::from(whole), u128::from(*modulus)) as u64;
            whole / common * modulus
        });
        for number in 0..whole {
            let is_in = |range: &Range| (range.from..range.to).contains(&(number % range.modulus));
            let homes = cells.iter().flat_map(|cell| {
                let inside = cell.parts.iter().filter(|part| part.iter().all(is_in));
                inside.map(|_| cell.holds.clone())
            });
            let expected: Vec<bool> = tests.iter().map(is_in).collect();
            assert_eq!(homes.collect::<Vec<_>>(), [expected], "{number} {tests:?}");
        }
        let mut found: Vec<_> = cells
            .iter()
            .map(|cell| (cell.holds.clone(), cell.share.unwrap()))
            .collect();
        found.sort_by(|one, other| one.0.cmp(&other.0));
        assert_eq!(found, counted(tests), "{tests:?}");
        for part in cells.iter().flat_map(|cell| &cell.parts) {
            let own: Vec<u64> = part.iter().map(|range| range.modulus).collect();
            assert_eq!(own, asked, "{tests:?}");
        }
        assert!(cells.iter().all(|cell| are_whole(&cell.parts)), "{tests:?}");
        let firsts = cells.iter().map(|cell| cell.parts[0].clone());
        assert!(firsts.is_sorted(), "{tests:?}");
    }
}

/// Whether parts of one modulus ascend, with a gap between any two.
fn are_whole(parts: &[Vec<Range>]) -> bool {
    parts[0].len() > 1 || parts.windows(2).all(|two| two[0][0].to < two[1][0].from)
}

#[test]
fn each_draw_is_in_one_part_of_the_cell_whose_tests_it_meets() {
    let mut random = Random(3);
    for round in 0..200 {
        let tests = drawn([&[6][..], &[4, 6], &[2, 3, 5]][round % 3], &mut random);
        let cells = of_chance(&tests, &Budget::unlimited()).unwrap();
        // draws between all of the ends, in hundreds and twentieths
        for draw in 0..120 {
            let is_in = |range: &Range| {
                let modulus = range.modulus;
                (240 * range.from..240 * range.to).contains(&((2 * draw + 1) * modulus))
            };
            let homes = cells
                .iter()
                .filter(|cell| cell.parts.iter().any(|part| part.iter().all(is_in)));
            let homes: Vec<_> = homes.map(|cell| cell.holds.clone()).collect();
            let expected: Vec<bool> = tests.iter().map(is_in).collect();
            assert_eq!(homes, [expected], "{draw} {tests:?}");
        }
        assert!(cells.iter().all(|cell| are_whole(&cell.parts)), "{tests:?}");
        let share = |parts: &[Vec<Range>]| {
            let width: u64 = parts.iter().map(|part| part[0].to - part[0].from).sum();
            Share::new(u128::from(width), u128::from(parts[0][0].modulus))
        };
        assert!(
            cells.iter().all(|cell| cell.share == Some(share(&cell.parts))),
            "{tests:?}"
        );
    }
}

#[test]
fn draws_of_which_the_whole_is_beyond_counting_are_rounded() {
    let moduli = [(1 << 31) - 1, (1 << 32) - 5, 1_000_003];
    let tests = moduli.map(|modulus| range(modulus, 1, 1 + modulus / 2));
    let cells = of_chance(&tests, &Budget::unlimited()).unwrap();
    let mut parts: Vec<Range> = cells.iter().flat_map(|cell| cell.parts.concat()).collect();
    parts.sort_unstable();
    assert!(parts.iter().all(|part| part.modulus == 1 << 63));
    assert!(parts.windows(2).all(|two| two[0].to == two[1].from));
    assert_eq!((parts[0].from, parts.last().unwrap().to), (0, 1 << 63));
    for test in tests {
        let near = |place: u64| (u128::from(place) << 63) / u128::from(test.modulus);
        let ends = [test.from, test.to].map(|place| near(place) as u64);
        assert!(
            ends.iter().all(|end| parts.iter().any(|part| part.from == *end)),
            "{test:?}"
        );
    }
    for cell in &cells {
        for part in cell.parts.concat() {
            for (holds, test) in cell.holds.iter().zip(tests) {
                let middle =
                    (u128::from(part.from + (part.to - part.from) / 2) * u128::from(test.modulus)) >> 63;
                assert_eq!(
                    *holds,
                    (test.from..test.to).contains(&(middle as u64)),
                    "{part:?} {test:?}"
                );
            }
        }
    }
}

#[test]
fn what_moduli_have_in_common_is_counted_through_up_to_2_to_the_20() {
    let common = |one: u64, other: u64| Counter::new(&[one, other]).common;
    for (shared, is_counted) in [
        (1, true),
        (1_000, true),
        (1 << 20, true),
        ((1 << 20) + 1, false),
        (1 << 21, false),
    ] {
        assert_eq!(
            common(shared, 3 * shared),
            is_counted.then_some(shared),
            "{shared}"
        );
        assert_eq!(
            common(2 * shared, 3 * shared),
            is_counted.then_some(shared),
            "{shared}"
        );
    }
    assert_eq!(Counter::new(&[6, 10, 15]).common, Some(30));
    let counter = Counter::new(&[1_280, 3_840]);
    assert_eq!([0, 1, 2, 3].map(|moduli| counter.cost(moduli)), [0, 20, 40, 60]);
}
