//! Rows of numbers in one list, and those among them that differ in one place only.

use std::hash::Hasher as _;

use crate::effect::fast::{FastMap, Mixer};

/// Rows of the same width, one after another.
#[derive(Debug, Default)]
pub(super) struct Rows {
    width: usize,
    count: usize,
    cells: Vec<u32>,
}

impl Rows {
    pub(super) fn new(width: usize) -> Self {
        Self {
            width,
            ..Self::default()
        }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn push(&mut self, row: &[u32]) {
        self.cells.extend_from_slice(row);
        self.count += 1;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.count).map(|number| self.row(number))
    }

    fn row(&self, number: usize) -> &[u32] {
        let start = number * self.width;
        self.cells.get(start..start + self.width).unwrap_or_default()
    }

    pub(super) fn slot(&mut self, number: usize, place: usize) -> Option<&mut u32> {
        self.cells.get_mut(number * self.width + place)
    }
}

/// Finds rows that differ in one place only; its tables are used again.
#[derive(Debug, Default)]
pub(super) struct Grouping {
    /// By the hash of the rest of a row, the last group that has it.
    known: FastMap<u64, usize>,
    /// Of each group the one before it with the same hash.
    earlier: Vec<Option<usize>>,
    /// Of each group what its first row has in the place.
    pub(super) first: Vec<u32>,
    /// What further rows have there, by group.
    pub(super) others: Vec<(usize, u32)>,
}

impl Grouping {
    /// Leaves the first of all rows that differ in this place only, without what they have there.
    pub(super) fn group(&mut self, rows: &mut Rows, place: usize) {
        self.known.clear();
        self.earlier.clear();
        self.first.clear();
        self.others.clear();
        for number in 0..rows.len() {
            let own = rows.slot(number, place).map(std::mem::take).unwrap_or_default();
            let mut mixer = Mixer::default();
            mixer.write_words(rows.row(number));
            let hash = mixer.finish();
            let mut group = self.known.get(&hash).copied();
            while let Some(known) = group.filter(|known| rows.row(*known) != rows.row(number)) {
                group = self.earlier.get(known).copied().flatten();
            }
            if let Some(group) = group {
                self.others.push((group, own));
                continue;
            }
            // groups stand before the rows that are still to come
            let (start, to) = (number * rows.width, self.first.len() * rows.width);
            rows.cells.copy_within(start..start + rows.width, to);
            self.earlier.push(self.known.insert(hash, self.first.len()));
            self.first.push(own);
        }
        rows.count = self.first.len();
        rows.cells.truncate(rows.count * rows.width);
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
