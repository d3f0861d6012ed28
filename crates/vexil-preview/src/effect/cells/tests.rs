use super::*;

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
