//! What is possible at a point of a text.

use std::rc::Rc;

use regex_syntax::hir::Look;

use super::Product;
use super::nfa::Node;
use super::point::{Ahead, Around, Seen, insert};
use crate::effect::set::bits;

impl Product {
    /// What is possible behind a place, with this around it.
    pub(super) fn behind(&mut self, place: usize, before: Around, next: Around) -> Rc<Ahead> {
        let kinds = self.kinds + 1;
        let key = (place * kinds + before) * kinds + next;
        if let Some(Some(known)) = self.ahead.get(key) {
            return Rc::clone(known);
        }
        let mut ahead = Ahead {
            letters: vec![0; self.words],
            matched: Seen::EMPTY,
        };
        match self.nfa.letters.get(place) {
            Some((_, to, expression)) => self.follow(*to, *expression, before, next, &mut ahead),
            None => {
                for (expression, start) in self.nfa.starts.iter().enumerate() {
                    self.follow(*start, expression, before, next, &mut ahead);
                }
            }
        }
        let ahead = Rc::new(ahead);
        if let Some(known) = self.ahead.get_mut(key) {
            *known = Some(Rc::clone(&ahead));
        }
        ahead
    }

    /// Adds what is possible from a place on, before the next letter.
    fn follow(&self, from: usize, expression: usize, before: Around, next: Around, ahead: &mut Ahead) {
        let outside = self.kinds;
        let mut seen = vec![from];
        let mut pending = vec![from];
        let mut visit = |node: usize, pending: &mut Vec<usize>| {
            if !seen.contains(&node) {
                seen.push(node);
                pending.push(node);
            }
        };
        while let Some(node) = pending.pop() {
            match self.nfa.nodes.get(node) {
                Some(Node::Letter(number)) => insert(Some(&mut ahead.letters), *number),
                Some(Node::Split(ways)) => ways.iter().for_each(|way| visit(*way, &mut pending)),
                Some(Node::Look(look, to)) => {
                    let holds = match look {
                        Look::Start => before == outside,
                        Look::End => next == outside,
                        Look::StartLF => before == outside || before == 2,
                        Look::EndLF => next == outside || next == 2,
                        Look::WordAscii => (before == 1) != (next == 1),
                        Look::WordAsciiNegate => (before == 1) == (next == 1),
                        _ => false,
                    };
                    if holds {
                        visit(*to, &mut pending);
                    }
                }
                Some(Node::Matched) => ahead.matched.insert(expression),
                None => {}
            }
        }
    }

    /// The places of letters that may follow, and what has matched before the next letter.
    pub(super) fn ahead(
        &mut self,
        places: &[u64],
        seen: Seen,
        before: Around,
        next: Around,
    ) -> (Vec<u64>, Seen) {
        let start = self.behind(self.nfa.letters.len(), before, next);
        let mut letters = start.letters.clone();
        let mut seen = seen.with(&start.matched);
        for place in bits(places) {
            let more = self.behind(place, before, next);
            letters
                .iter_mut()
                .zip(&more.letters)
                .for_each(|(all, more)| *all |= more);
            seen = seen.with(&more.matched);
        }
        for expression in seen.iter() {
            let owned = self.owned.get(expression).into_iter().flatten();
            letters.iter_mut().zip(owned).for_each(|(all, own)| *all &= !own);
        }
        (letters, seen)
    }

    /// Which expressions match in a text.
    pub(crate) fn seen(&mut self, text: &str) -> Option<Seen> {
        let (mut places, mut seen, mut before) = (vec![0; self.words], Seen::EMPTY, self.kinds);
        for letter in text.chars() {
            let class = self.alphabet.class(letter)?;
            let next = self.around.get(class).copied()?;
            let (letters, more) = self.ahead(&places, seen, before, next);
            seen = more;
            places = letters;
            let allowed = self.allowed.get(class).into_iter().flatten();
            places.iter_mut().zip(allowed).for_each(|(all, one)| *all &= one);
            before = next;
        }
        Some(self.ahead(&places, seen, before, self.kinds).1)
    }
}
