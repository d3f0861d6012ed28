//! The same work for each of several items, on all processors.

use std::panic::resume_unwind;
use std::thread;

/// What `work` makes of each item, in their order. Each processor takes every n-th of them, this thread included;
/// where there is no further thread to be had, it does what is left.
pub(crate) fn map_side_by_side<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let shares = thread::available_parallelism()
        .map_or(1, usize::from)
        .clamp(1, items.len().max(1));
    let share = |first: usize| {
        items
            .iter()
            .skip(first)
            .step_by(shares)
            .map(&work)
            .collect::<Vec<R>>()
    };
    let done: Vec<Vec<R>> = thread::scope(|scope| {
        let others: Vec<_> = (1..shares)
            .map(|first| {
                (
                    first,
                    thread::Builder::new().spawn_scoped(scope, move || share(first)),
                )
            })
            .collect();
        let own = share(0);
        let others = others.into_iter().map(|(first, other)| match other {
            Ok(other) => other.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => share(first),
        });
        std::iter::once(own).chain(others).collect()
    });
    let mut done: Vec<_> = done.into_iter().map(Vec::into_iter).collect();
    let turns = (0..shares).cycle().take(items.len());
    turns.filter_map(|turn| done.get_mut(turn)?.next()).collect()
}

#[cfg(test)]
mod tests {
    use super::map_side_by_side;

    #[test]
    fn each_item_is_worked_on_once_and_its_place_is_kept() {
        for count in [0, 1, 2, 3, 7, 100] {
            let items: Vec<usize> = (0..count).collect();
            let squares: Vec<usize> = items.iter().map(|item| item * item).collect();
            assert_eq!(map_side_by_side(&items, |item| item * item), squares);
        }
    }
}
