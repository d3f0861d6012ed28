//! Diagrams, compared with tables of where each combination leads: equal functions are one node, so each result
//! is compared with the node that its table is.

use vexil_budget::Budget;

use super::cofactors::Cofactors;
use super::*;
use crate::effect::tests::sides::Random;

/// So many atoms each level has.
pub(crate) const SIZES: [usize; 3] = [3, 2, 4];

type Change = Option<(u32, u32)>;

/// What each combination of atoms undergoes.
pub(crate) type Table = Vec<Change>;

/// All combinations, in the order of tables.
pub(crate) fn combinations() -> impl Iterator<Item = [usize; 3]> {
    let [one, two, three] = SIZES;
    (0..one * two * three).map(move |number| [number / three / two, number / three % two, number % three])
}

fn table(of: impl FnMut([usize; 3]) -> Change) -> Table {
    combinations().map(of).collect()
}

fn at(table: &Table, [one, two, three]: [usize; 3]) -> Change {
    table[(one * SIZES[1] + two) * SIZES[2] + three]
}

/// A function of some of the levels in which atoms are often alike.
pub(crate) fn drawn(random: &mut Random) -> Table {
    let like = SIZES.map(|size| {
        let kinds = random.below(size) + 1;
        (0..size).map(|_| random.below(kinds)).collect::<Vec<_>>()
    });
    let changes = random.below(3) + 1;
    let rare = random.below(3) + 1;
    let leads: Table = (0..64)
        .map(|_| {
            let changed = random.below(rare + 1) == 0;
            changed.then(|| (random.below(changes) as u32, 5 + random.below(changes) as u32))
        })
        .collect();
    table(|[one, two, three]| leads[like[0][one] * 16 + like[1][two] * 4 + like[2][three]])
}

/// The node of a function, its branches made from the last level on.
pub(crate) fn node_of(diagram: &mut Diagram, table: &Table) -> Node {
    let leaves = table.iter().map(|change| match change {
        Some((before, after)) => diagram.leaf(*before, *after),
        None => diagram.leaf(3, 3),
    });
    let mut nodes: Vec<Node> = leaves.collect();
    for (level, size) in SIZES.iter().enumerate().rev() {
        let made = nodes
            .chunks(*size)
            .map(|children| diagram.branch(level, children));
        nodes = made.collect();
    }
    nodes[0]
}

/// Where a combination leads, and the levels that are asked on the way.
fn path(diagram: &Diagram, root: Node, place: [usize; 3]) -> (Change, Vec<usize>) {
    let (mut node, mut asked) = (root, Vec::new());
    loop {
        match diagram.kind(node).unwrap() {
            _ if node == SAME => return (None, asked),
            Kind::Leaf(before, after) => return (Some((*before, *after)), asked),
            Kind::Branch(level, children) => {
                asked.push(*level as usize);
                node = children[place[*level as usize]];
            }
        }
    }
}

/// The atom of one level exchanged.
fn with(mut place: [usize; 3], level: usize, atom: usize) -> [usize; 3] {
    place[level] = atom;
    place
}

/// Whether two atoms of a level lead to the same everywhere.
fn are_alike(table: &Table, level: usize, one: usize, other: usize) -> bool {
    combinations().all(|place| at(table, with(place, level, one)) == at(table, with(place, level, other)))
}

fn depends(table: &Table, level: usize) -> bool {
    (1..SIZES[level]).any(|atom| !are_alike(table, level, 0, atom))
}

fn changes_of(table: &Table) -> Vec<(u32, u32)> {
    let all: std::collections::BTreeSet<_> = table.iter().flatten().copied().collect();
    all.into_iter().collect()
}

/// Some functions, in one diagram, with their nodes.
fn functions() -> (Diagram, Vec<(Table, Node)>) {
    let (mut diagram, mut random) = (Diagram::default(), Random(3));
    let tables = (0..150).map(|_| drawn(&mut random));
    let made = tables.map(|table| (node_of(&mut diagram, &table), table));
    let made: Vec<(Table, Node)> = made.map(|(node, table)| (table, node)).collect();
    (diagram, made)
}

#[test]
fn equal_functions_are_one_node_and_others_are_others() {
    let (mut diagram, made) = functions();
    let count = diagram.len();
    for (table, node) in &made {
        assert_eq!(node_of(&mut diagram, table), *node);
        for place in combinations() {
            assert_eq!(
                path(&diagram, *node, place).0,
                at(table, place),
                "{place:?} {table:?}"
            );
        }
        assert!(made.iter().all(|(other, its)| (table == other) == (node == its)));
        let levels: Vec<usize> = (0..3).filter(|level| depends(table, *level)).collect();
        assert_eq!(diagram.levels(*node), levels);
        assert_eq!(diagram.changes(*node), changes_of(table));
    }
    // nothing is kept twice
    assert_eq!(diagram.len(), count);
    let used = made
        .iter()
        .any(|(table, _)| (0..3).all(|level| depends(table, level)));
    assert!(used && diagram.branch(1, &[]) == SAME);
}

#[test]
fn parts_of_a_function_are_those_of_its_table() {
    let (mut diagram, made) = functions();
    let budget = Budget::unlimited();
    for (own, node) in &made {
        let reached = diagram.reached(*node);
        for change in changes_of(own).into_iter().chain([(0, 9)]) {
            let expected = table(|place| at(own, place).filter(|it| *it == change));
            let expected = node_of(&mut diagram, &expected);
            assert_eq!(diagram.only(*node, change, &budget).unwrap(), expected);
            assert_eq!(diagram.part(*node, change, &reached, &budget).unwrap(), expected);
        }
        for kept in 0..6_usize {
            let keep = |level: usize, atom: usize| !(atom + level + kept).is_multiple_of(kept / 3 + 2);
            let found = diagram.restricted(*node, &keep, &budget).unwrap();
            let expected = table(|place| {
                let (change, asked) = path(&diagram, *node, place);
                change.filter(|_| asked.iter().all(|level| keep(*level, place[*level])))
            });
            assert_eq!(found, node_of(&mut diagram, &expected), "{own:?}");
        }
    }
}

#[test]
fn of_more_changes_than_there_are_bits_each_has_its_part() {
    let (mut diagram, budget) = (Diagram::default(), Budget::unlimited());
    let leaves: Vec<Node> = (0..70).map(|after| diagram.leaf(99, after)).collect();
    for count in [63, 64, 65, 70] {
        let root = diagram.branch(4, &leaves[..count]);
        let expected: Vec<(u32, u32)> = (0..count as u32).map(|after| (99, after)).collect();
        assert_eq!(diagram.changes(root), expected);
        for atom in [0, 31, 62, 63, 64, 69].into_iter().filter(|atom| *atom < count) {
            let mut alone = vec![SAME; count];
            alone[atom] = leaves[atom];
            let alone = diagram.branch(4, &alone);
            assert_eq!(diagram.only(root, (99, atom as u32), &budget).unwrap(), alone);
        }
    }
}

#[test]
fn two_functions_meet_where_both_change_something() {
    let (mut diagram, made) = functions();
    let budget = Budget::unlimited();
    let mut known = FastMap::default();
    let mut meeting = 0;
    for (one, other) in made
        .iter()
        .flat_map(|one| made.iter().take(40).map(move |other| (one, other)))
    {
        let expected = table(|place| at(&one.0, place).filter(|_| at(&other.0, place).is_some()));
        let expected = node_of(&mut diagram, &expected);
        let both = diagram.where_both(one.1, other.1, &mut known, &budget).unwrap();
        assert_eq!(both, expected, "{:?} {:?}", one.0, other.0);
        meeting += usize::from(![SAME, one.1].contains(&both));
    }
    assert!(meeting > 500, "{meeting}");
}

#[test]
fn what_is_left_where_an_atom_is_chosen_is_what_the_table_says_there() {
    let (mut diagram, made) = functions();
    let budget = Budget::unlimited();
    let mut chosen = FastMap::default();
    for atoms in [&[0, 1][..], &[1], &[1, 0]] {
        let mut known = FastMap::default();
        for (own, node) in &made {
            for level in 0..3 {
                let left = diagram
                    .cofactors(*node, level, atoms, &mut known, &budget)
                    .unwrap();
                assert_eq!(
                    matches!(left, Cofactors::All(_)),
                    !depends(own, level),
                    "{level} {own:?}"
                );
                for (place, atom) in atoms.iter().enumerate() {
                    let expected = table(|place| at(own, with(place, level, *atom)));
                    let expected = node_of(&mut diagram, &expected);
                    assert_eq!(left.at(place), expected, "{level} {atom} {own:?}");
                    let alone = diagram.chosen(*node, level, *atom, &mut chosen, &budget);
                    assert_eq!(alone.unwrap(), expected, "{level} {atom} {own:?}");
                }
            }
        }
    }
}

#[test]
fn atoms_are_alike_that_lead_to_the_same_places_everywhere() {
    let (diagram, made) = functions();
    for (own, node) in &made {
        let alike = diagram.alike(*node);
        for (level, size) in SIZES.into_iter().enumerate() {
            let first = |atom: usize| {
                (0..size)
                    .find(|other| are_alike(own, level, *other, atom))
                    .unwrap()
            };
            let expected = depends(own, level).then(|| {
                let mut firsts: Vec<usize> = (0..size).map(first).collect();
                let all = firsts.clone();
                firsts.sort_unstable();
                firsts.dedup();
                let place = |atom: usize| firsts.iter().position(|one| *one == atom).unwrap() as u32;
                let of: Vec<u32> = all.into_iter().map(place).collect();
                (firsts, of)
            });
            let found = alike.get(&level).map(|it| (it.firsts.to_vec(), it.of.to_vec()));
            assert_eq!(found, expected, "{level} {own:?}");
        }
    }
}
