//! A context laid out for many questions.

use vexil_domain::Context;

use crate::program::Answer;
use crate::view::Laid;
use crate::walk::Walk;
use crate::world::World;
use crate::{Ambient, Choice, Explanation, FlagId, Resolved, Verdicts};

/// An engine together with one context, laid out so that many flags are decided fast: every field is
/// looked up once, and read as a number, date, version or address at most once.
///
/// Made by [`Engine::prepare`](crate::Engine::prepare). It answers exactly what the engine answers.
pub struct Prepared<'a> {
    walk: Walk<'a, 'a, Laid<'a>>,
}

impl<'a> Prepared<'a> {
    pub(crate) fn new(world: &'a World, context: &'a Context, ambient: &'a Ambient<'a>) -> Self {
        Self {
            walk: Walk {
                world,
                ambient,
                view: Laid::new(context, &world.fields),
            },
        }
    }

    /// Whether a flag is on. An unknown flag is off.
    #[must_use]
    pub fn is_enabled(&self, name: &str) -> bool {
        let flag = self.walk.world.find_spot(name);
        flag.is_some_and(|flag| self.walk.is_enabled(flag))
    }

    /// Whether a flag is on, by handle.
    #[must_use]
    pub fn is_enabled_by(&self, flag: FlagId) -> bool {
        let flag = self.walk.world.spot(flag.0);
        flag.is_some_and(|flag| self.walk.is_enabled(flag))
    }

    /// The variant of a flag.
    #[must_use]
    pub fn variant(&self, name: &str) -> Choice<'a> {
        let flag = self.walk.world.find_spot(name);
        flag.map_or(Choice::disabled(false), |flag| self.walk.variant(flag))
    }

    /// The variant of a flag, by handle.
    #[must_use]
    pub fn variant_by(&self, flag: FlagId) -> Choice<'a> {
        let flag = self.walk.world.spot(flag.0);
        flag.map_or(Choice::disabled(false), |flag| self.walk.variant(flag))
    }

    /// Why a flag is on or off; `None` where there is no such flag.
    #[must_use]
    pub fn explain(&self, name: &str) -> Option<Explanation> {
        self.walk.explain(self.walk.world.find_spot(name)?)
    }

    /// Why a flag is on or off, by handle.
    #[must_use]
    pub fn explain_by(&self, flag: FlagId) -> Option<Explanation> {
        self.walk.explain(self.walk.world.spot(flag.0)?)
    }

    /// What every node of a flag concludes, as [`Engine::verdicts_by`](crate::Engine::verdicts_by) does.
    pub fn verdicts_by(&self, flag: FlagId, into: &mut Verdicts) -> bool {
        let flag = self.walk.world.spot(flag.0);
        flag.is_some_and(|flag| self.walk.verdicts(flag, into))
    }

    /// Every flag with its answer, on or off, in the order of [`Engine::flags`](crate::Engine::flags).
    /// Nothing is allocated on the way.
    pub fn resolve_all(&self) -> impl Iterator<Item = Resolved<'a>> {
        let flags = self.walk.world.all().zip(0..);
        flags
            .filter(|(spot, _)| spot.flag.answer != Answer::Gone)
            .map(|(spot, number)| Resolved {
                id: FlagId(number),
                name: &spot.flag.name,
                project: &spot.flag.project,
                impression_data: spot.flag.impression_data,
                variant: self.walk.variant(spot),
            })
    }
}

impl std::fmt::Debug for Prepared<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared")
            .field("context", &self.walk.view)
            .finish_non_exhaustive()
    }
}
