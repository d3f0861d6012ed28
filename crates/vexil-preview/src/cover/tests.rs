use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn cover(axes: usize, cells: &[Vec<u32>]) -> Boxes {
    super::cover(axes, cells, &Budget::unlimited()).unwrap()
}

fn cells_of(one: &[Vec<u32>]) -> Vec<Vec<u32>> {
    one.iter().fold(vec![Vec::new()], |cells, values| {
        let extended = |cell: &Vec<u32>| {
            let cell = cell.clone();
            values
                .iter()
                .map(move |value| [cell.clone(), vec![*value]].concat())
        };
        cells.iter().flat_map(extended).collect()
    })
}

#[test]
fn a_product_of_sets_is_one_box() {
    let product = vec![vec![0, 2], vec![1, 3, 4], vec![0]];
    assert_eq!(cover(3, &cells_of(&product)), [product]);
}

#[test]
fn one_value_or_another_takes_two_boxes() {
    let cells: Vec<Vec<u32>> = (0..6)
        .flat_map(|a| (0..6).map(move |b| vec![a, b]))
        .filter(|cell| cell[0] == 1 || cell[1] == 2)
        .collect();
    assert_eq!(cover(2, &cells).len(), 2);
}

#[test]
fn without_axes_there_is_one_box_for_the_only_cell() {
    assert_eq!(cover(0, &[Vec::new()]), [Vec::<Vec<u32>>::new()]);
    assert_eq!(cover(0, &[]), Boxes::new());
}

proptest! {
    #[test]
    fn boxes_hold_every_cell_once_and_no_other(
        cells in (0_usize..6).prop_flat_map(|axes| {
            proptest::collection::btree_set(proptest::collection::vec(0_u32..4, axes), 0..60)
        }),
    ) {
        let axes = cells.first().map_or(0, Vec::len);
        let list: Vec<Vec<u32>> = cells.iter().cloned().collect();
        let boxes = cover(axes, &list);
        let held: Vec<Vec<u32>> = boxes.iter().flat_map(|one| cells_of(one)).collect();
        prop_assert_eq!(held.len(), list.len());
        prop_assert_eq!(held.into_iter().collect::<BTreeSet<_>>(), cells);
        // in any order nothing is left to merge, and none that is always tried leaves fewer
        let forth: Vec<usize> = (0..axes).collect();
        let back: Vec<usize> = forth.iter().rev().copied().collect();
        for order in [forth, back] {
            let own = merged(&order, &list, &Budget::unlimited()).unwrap();
            for (place, one) in own.iter().enumerate() {
                for other in &own[..place] {
                    let apart = one.iter().zip(other).filter(|(one, other)| one != other);
                    prop_assert!(apart.count() > 1, "{:?} and {:?}", one, other);
                }
            }
            prop_assert!(boxes.len() <= own.len(), "{} and {}", boxes.len(), own.len());
        }
    }
}
