//! Rows of numbers in one list, and those among them that differ in one place only.

use std::hash::Hasher as _;

use crate::effect::fast::{Index, Mixer};

/// Rows of the same width, one after another.
#[derive(Debug, Default)]
pub(super) struct Rows {
    width: usize,
    cells: Vec<u32>,
    /// Of each row the sum of hashes of its cells, so that one cell is taken out or put in without the others:
    /// Zobrist hashing.
    hashes: Vec<u64>,
}

/// So many rows there is room for at first.
const USUAL: usize = 32;

/// The hash of a cell in its place; zeros count for nothing.
fn hash_of(place: usize, cell: u32) -> u64 {
    if cell == 0 {
        return 0;
    }
    let mut mixer = Mixer::default();
    mixer.write_u64((place as u64) << 32 | u64::from(cell));
    mixer.finish()
}

impl Rows {
    pub(super) fn new(width: usize) -> Self {
        Self {
            width,
            cells: Vec::with_capacity(width * USUAL),
            hashes: Vec::with_capacity(USUAL),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.hashes.len()
    }

    pub(super) fn push(&mut self, row: &[u32]) {
        self.cells.extend_from_slice(row);
        let cells = row.iter().enumerate();
        let hashes = cells.map(|(place, cell)| hash_of(place, *cell));
        self.hashes.push(hashes.fold(0, u64::wrapping_add));
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|number| self.row(number))
    }

    /// Whether any row has something in a place.
    pub(super) fn has(&self, place: usize) -> bool {
        let cells = self.cells.iter().skip(place).step_by(self.width.max(1));
        cells.into_iter().any(|cell| *cell != 0)
    }

    fn row(&self, number: usize) -> &[u32] {
        let start = number * self.width;
        self.cells.get(start..start + self.width).unwrap_or_default()
    }

    /// Takes a cell out of a row: leaves zero in its place.
    fn take(&mut self, number: usize, place: usize) -> u32 {
        let cell = self.cells.get_mut(number * self.width + place);
        let cell = cell.map(std::mem::take).unwrap_or_default();
        if let Some(hash) = self.hashes.get_mut(number) {
            *hash = hash.wrapping_sub(hash_of(place, cell));
        }
        cell
    }

    /// Puts a cell into a row where zero is.
    pub(super) fn put(&mut self, number: usize, place: usize, cell: u32) {
        if let Some(slot) = self.cells.get_mut(number * self.width + place) {
            *slot = cell;
        }
        if let Some(hash) = self.hashes.get_mut(number) {
            *hash = hash.wrapping_add(hash_of(place, cell));
        }
    }
}

/// Finds rows that differ in one place only; its tables are used again.
#[derive(Debug, Default)]
pub(super) struct Grouping {
    /// By hashes of the rest of rows, the groups.
    known: Index,
    /// Of each group what its first row has in the place.
    pub(super) first: Vec<u32>,
    /// What further rows have there, by group.
    pub(super) others: Vec<(usize, u32)>,
}

impl Grouping {
    /// Leaves the first of all rows that differ in this place only, without what they have there.
    pub(super) fn group(&mut self, rows: &mut Rows, place: usize) {
        self.known.clear();
        self.first.clear();
        self.others.clear();
        for number in 0..rows.len() {
            let own = rows.take(number, place);
            let hash = rows.hashes.get(number).copied().unwrap_or_default();
            let known = &mut self.known;
            let group = known.find_or_push(hash, |group| rows.row(group) == rows.row(number));
            if let Some(group) = group {
                self.others.push((group, own));
                continue;
            }
            // groups stand before the rows that are still to come
            let (start, to) = (number * rows.width, self.first.len() * rows.width);
            rows.cells.copy_within(start..start + rows.width, to);
            if let Some(slot) = rows.hashes.get_mut(self.first.len()) {
                *slot = hash;
            }
            self.first.push(own);
        }
        rows.hashes.truncate(self.first.len());
        rows.cells.truncate(self.first.len() * rows.width);
        self.others.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::{Grouping, Rows};

    #[test]
    fn rows_that_differ_in_one_place_are_one_group() {
        let mut rows = Rows::new(3);
        for row in [[1, 2, 3], [4, 2, 3], [1, 5, 3], [6, 2, 3], [6, 5, 3]] {
            rows.push(&row);
        }
        let mut grouping = Grouping::default();
        grouping.group(&mut rows, 0);
        let left: Vec<&[u32]> = rows.iter().collect();
        assert_eq!(left, [[0, 2, 3], [0, 5, 3]]);
        assert_eq!(grouping.first, [1, 1]);
        assert_eq!(grouping.others, [(0, 4), (0, 6), (1, 6)]);
        grouping.group(&mut rows, 1);
        assert_eq!(rows.iter().collect::<Vec<_>>(), [[0, 0, 3]]);
        assert_eq!(
            (grouping.first.as_slice(), grouping.others.as_slice()),
            (&[2][..], &[(0, 5)][..])
        );
    }

    #[test]
    fn rows_without_a_place_are_counted() {
        let mut rows = Rows::new(0);
        rows.push(&[]);
        assert_eq!((rows.len(), rows.iter().count()), (1, 1));
    }
}
