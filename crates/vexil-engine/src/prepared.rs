//! A context for many questions.

use vexil_domain::Context;

use crate::context_lookup::CachedContext;
use crate::evaluate::Evaluator;
use crate::flag_table::FlagTable;
use crate::program::Answer;
use crate::{Ambient, Choice, Explanation, FlagId, Resolved, Verdicts};

/// An engine together with one context, for many flags: what is looked up in the context and read as a number,
/// date, version or address is kept for the next flag that asks.
///
/// Made by [`Engine::prepare`](crate::Engine::prepare). It answers exactly what the engine answers.
pub struct Prepared<'a> {
    table: &'a FlagTable,
    ambient: &'a Ambient<'a>,
    context: CachedContext<'a>,
}

impl<'a> Prepared<'a> {
    pub(crate) fn new(table: &'a FlagTable, context: &'a Context, ambient: &'a Ambient<'a>) -> Self {
        Self {
            table,
            ambient,
            context: CachedContext::new(context, &table.fields),
        }
    }

    #[inline]
    fn evaluator(&self) -> Evaluator<'a, 'a, &CachedContext<'a>> {
        Evaluator {
            table: self.table,
            ambient: self.ambient,
            context: &self.context,
        }
    }

    /// Whether a flag is on. An unknown flag is off.
    #[must_use]
    pub fn is_enabled(&self, name: &str) -> bool {
        let flag = self.table.find_ref(name);
        flag.is_some_and(|flag| self.evaluator().is_enabled(flag))
    }

    /// Whether a flag is on, by handle.
    #[must_use]
    pub fn is_enabled_by(&self, flag: FlagId) -> bool {
        let flag = self.table.flag_by(flag);
        flag.is_some_and(|flag| self.evaluator().is_enabled(flag))
    }

    /// The variant of a flag.
    #[must_use]
    pub fn variant(&self, name: &str) -> Choice<'a> {
        match self.table.find_ref(name) {
            Some(flag) => self.evaluator().variant(flag),
            None => Choice::disabled(false),
        }
    }

    /// The variant of a flag, by handle.
    #[must_use]
    pub fn variant_by(&self, flag: FlagId) -> Choice<'a> {
        match self.table.flag_by(flag) {
            Some(flag) => self.evaluator().variant(flag),
            None => Choice::disabled(false),
        }
    }

    /// Why a flag is on or off; `None` where there is no such flag.
    #[must_use]
    pub fn explain(&self, name: &str) -> Option<Explanation> {
        self.evaluator().explain(self.table.find_ref(name)?)
    }

    /// Why a flag is on or off, by handle.
    #[must_use]
    pub fn explain_by(&self, flag: FlagId) -> Option<Explanation> {
        self.evaluator().explain(self.table.flag_by(flag)?)
    }

    /// What every node of a flag concludes, as [`Engine::verdicts_by`](crate::Engine::verdicts_by) does.
    pub fn verdicts_by(&self, flag: FlagId, into: &mut Verdicts) -> bool {
        let flag = self.table.flag_by(flag);
        flag.is_some_and(|flag| self.evaluator().verdicts(flag, into))
    }

    /// Every flag with its answer, on or off, in the order of [`Engine::flags`](crate::Engine::flags).
    /// Nothing is allocated on the way, and what collects it knows how many come.
    pub fn resolve_all(&self) -> impl ExactSizeIterator<Item = Resolved<'a>> {
        let flags = self.table.all().zip(0..);
        let resolved = flags
            .filter(|(flag_ref, _)| flag_ref.flag.answer != Answer::Gone)
            .map(|(flag_ref, number)| Resolved {
                id: self.table.id(number),
                name: &flag_ref.flag.name,
                project: &flag_ref.flag.project,
                impression_data: flag_ref.flag.impression_data,
                variant: self.evaluator().variant(flag_ref),
            });
        Counted {
            items: resolved,
            left: self.table.live(),
        }
    }
}

/// Items of which it is known how many are left.
struct Counted<I> {
    items: I,
    left: usize,
}

impl<I: Iterator> Iterator for Counted<I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        let item = self.items.next()?;
        self.left -= 1;
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }

    fn fold<B, F: FnMut(B, I::Item) -> B>(self, start: B, each: F) -> B {
        self.items.fold(start, each)
    }
}

impl<I: Iterator> ExactSizeIterator for Counted<I> {}

impl std::fmt::Debug for Prepared<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared")
            .field("context", &self.context)
            .finish_non_exhaustive()
    }
}
