//! Texts that are read in several ways at once.

use regex_syntax::hir::ClassUnicode;

use crate::effect::readers::{Reader, Said, Table, Visited};

/// Reads each text in all of these ways, of which each says something of its own.
struct Ways(Vec<Option<Said>>);

impl Reader for Ways {
    type State = Option<usize>;

    fn start(&self) -> Self::State {
        None
    }

    fn step(&self, _state: &Self::State, _letter: char, next: &mut Vec<Self::State>) {
        next.extend((0..self.0.len()).map(Some));
    }

    fn says(&self, state: &Self::State) -> Option<Said> {
        state.and_then(|way| self.0[way])
    }

    fn letters(&self) -> Vec<ClassUnicode> {
        Vec::new()
    }
}

#[test]
fn what_is_read_in_several_ways_may_say_what_each_of_them_says() {
    let mut kinds = vec![None];
    for fewest in 0..3 {
        for most in fewest..3 {
            kinds.extend([true, false].map(|perhaps_none| {
                Some(Said {
                    fewest,
                    most,
                    perhaps_none,
                })
            }));
        }
    }
    for one in &kinds {
        for other in &kinds {
            for third in &kinds {
                let ways = vec![*one, *other, *third];
                let all: Vec<Said> = ways.iter().flatten().copied().collect();
                let mut table = Visited::new(Ways(ways));
                let state = table.next(0, 0, 'a');
                let expected = all.first().map(|_| Said {
                    fewest: all.iter().map(|it| it.fewest).min().unwrap(),
                    most: all.iter().map(|it| it.most).max().unwrap(),
                    perhaps_none: all.iter().any(|it| it.perhaps_none),
                });
                assert_eq!(table.says(state), expected, "{all:?}");
            }
        }
    }
}
