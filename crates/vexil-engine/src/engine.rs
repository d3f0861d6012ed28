//! The engine: compiled once, asked for ever.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use vexil_domain::{Context, FlagName, Write};

use crate::chunk::{Chunk, ChunkBuilder, Label};
use crate::compile::{Linker, compile_alone, warn_of_parents};
use crate::context_lookup::BorrowedContext;
use crate::evaluate::Evaluator;
use crate::flag_table::FlagTable;
use crate::prepared::Prepared;
use crate::program::{Answer, Flag};
use crate::{
    Ambient, Choice, ConditionPlace, ConstraintProblem, Explanation, FlagId, FlagInfo, Update, Verdicts,
    Warning,
};

/// The flags of one environment, compiled.
///
/// An engine never changes, so any number of threads ask it without waiting for each other. A clone is
/// the same engine. [`Engine::updated`] gives the next engine, which shares what did not change.
///
/// ```
/// use std::hash::{BuildHasher, Hasher, RandomState};
/// use vexil_engine::{Ambient, Context, Engine, EnvironmentFlag, OffsetDateTime};
///
/// let flags = [EnvironmentFlag::new("checkout", "default")];
/// let (engine, warnings) = Engine::compile(&flags.into_iter().collect());
/// assert!(warnings.is_empty());
///
/// // a new draw of chance for every question, as SDKs do
/// let seed = RandomState::new().build_hasher().finish();
/// let ambient = Ambient::new(OffsetDateTime::now_utc(), seed);
/// assert!(engine.is_enabled("checkout", &Context::default().with("userId", "123"), &ambient));
/// assert!(!engine.is_enabled("no-such-flag", &Context::default(), &ambient));
/// ```
#[derive(Clone)]
pub struct Engine {
    table: Arc<FlagTable>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("flags", &self.len()).finish()
    }
}

impl Engine {
    pub(crate) fn of(table: FlagTable) -> Self {
        Self {
            table: Arc::new(table),
        }
    }

    pub(crate) fn table(&self) -> &FlagTable {
        &self.table
    }

    /// The next engine: this one with some flags and segments changed. Only those are compiled; the
    /// rest is shared. Warnings are those of the changed flags and segments, and of all flags that lost
    /// a segment.
    #[must_use]
    pub fn updated(&self, update: &Update) -> (Self, Vec<Warning>) {
        let mut table = FlagTable::clone(&self.table);
        let mut linker = Linker::of(&table);
        let mut lost_segments = false;
        for put in &update.segments {
            match put {
                Write::Upsert(segment) => linker.put_segment(segment),
                Write::Delete(id) => {
                    linker.remove_segment(*id);
                    lost_segments = true;
                }
            }
        }
        let mut changed = BTreeMap::new();
        for (put, number) in update.flags.iter().zip(number_all(&mut table, update)) {
            let chunk = match put {
                Write::Upsert(flag) => compile_alone(flag, &table, &mut linker),
                Write::Delete(name) => gone(name),
            };
            changed.insert(number, chunk);
        }
        table.replace(&changed);
        table.fields = Arc::clone(&linker.fields);
        table.segments = Arc::clone(&linker.segments);
        if lost_segments {
            table.all().for_each(|flag_ref| linker.warn_of_segments(flag_ref));
        } else {
            let flags = changed.keys().filter_map(|number| table.flag_ref(*number));
            flags.for_each(|flag_ref| linker.warn_of_segments(flag_ref));
        }
        warn_of_parents(&table, changed.into_keys(), &mut linker.warnings);
        (Self::of(table), linker.warnings)
    }

    /// The handle of a flag, to ask for it again and again without looking up its name.
    #[must_use]
    pub fn flag(&self, name: &str) -> Option<FlagId> {
        let flag = self.table.id(self.table.find(name)?);
        self.name(flag).map(|_| flag)
    }

    /// The name of a flag; `None` where the flag is gone.
    #[must_use]
    pub fn name(&self, flag: FlagId) -> Option<&FlagName> {
        self.table.name(flag).filter(|_| self.table.is_there(flag))
    }

    /// The name that a flag is counted under, also of one that is gone.
    pub(crate) fn counted_name(&self, flag: FlagId) -> Option<&FlagName> {
        self.table.name(flag)
    }

    /// What is said of a flag besides who gets it; `None` where the flag is gone.
    #[must_use]
    pub fn info(&self, flag: FlagId) -> Option<FlagInfo<'_>> {
        let of = self.table.flag_by(flag)?.flag;
        let label = self.table.label(flag.number)?;
        (of.answer != Answer::Gone).then_some(FlagInfo {
            id: flag,
            name: &of.name,
            project: &of.project,
            kind: &label.kind,
            description: label.description.as_deref(),
            impression_data: of.impression_data,
        })
    }

    /// All flags: those compiled together in the order they were compiled in (a snapshot's order is
    /// by name), then those added later.
    pub fn flags(&self) -> impl Iterator<Item = FlagId> {
        let ids = (0..self.table.slots()).map(|number| self.table.id(number));
        ids.filter(|flag| self.name(*flag).is_some())
    }

    /// How many flags there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table.live()
    }

    /// Whether there are no flags.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a flag is on. An unknown flag is off.
    #[must_use]
    pub fn is_enabled(&self, name: &str, context: &Context, ambient: &Ambient<'_>) -> bool {
        let flag = self.table.find_ref(name);
        flag.is_some_and(|flag| self.evaluator(context, ambient).is_enabled(flag))
    }

    /// Whether a flag is on, by handle.
    #[must_use]
    pub fn is_enabled_by(&self, flag: FlagId, context: &Context, ambient: &Ambient<'_>) -> bool {
        let flag = self.table.flag_by(flag);
        flag.is_some_and(|flag| self.evaluator(context, ambient).is_enabled(flag))
    }

    /// The variant of a flag.
    #[must_use]
    pub fn variant(&self, name: &str, context: &Context, ambient: &Ambient<'_>) -> Choice<'_> {
        match self.table.find_ref(name) {
            Some(flag) => self.evaluator(context, ambient).variant(flag),
            None => Choice::disabled(false),
        }
    }

    /// The variant of a flag, by handle.
    #[must_use]
    pub fn variant_by(&self, flag: FlagId, context: &Context, ambient: &Ambient<'_>) -> Choice<'_> {
        match self.table.flag_by(flag) {
            Some(flag) => self.evaluator(context, ambient).variant(flag),
            None => Choice::disabled(false),
        }
    }

    /// Why a flag is on or off; `None` where there is no such flag.
    #[must_use]
    pub fn explain(&self, name: &str, context: &Context, ambient: &Ambient<'_>) -> Option<Explanation> {
        self.evaluator(context, ambient)
            .explain(self.table.find_ref(name)?)
    }

    /// Why a flag is on or off, by handle.
    #[must_use]
    pub fn explain_by(&self, flag: FlagId, context: &Context, ambient: &Ambient<'_>) -> Option<Explanation> {
        self.evaluator(context, ambient)
            .explain(self.table.flag_by(flag)?)
    }

    /// What every node of a flag concludes, without the reasons: written over `into`, whose memory is
    /// used again. `false` where there is no such flag; `into` is then left as it is.
    pub fn verdicts_by(
        &self,
        flag: FlagId,
        context: &Context,
        ambient: &Ambient<'_>,
        into: &mut Verdicts,
    ) -> bool {
        let flag = self.table.flag_by(flag);
        flag.is_some_and(|flag| self.evaluator(context, ambient).verdicts(flag, into))
    }

    /// Keeps what is looked up in a context from question to question. It costs as much as a few questions,
    /// whatever the number of flags and fields: worth it from a dozen questions on.
    #[must_use]
    pub fn prepare<'a>(&'a self, context: &'a Context, ambient: &'a Ambient<'a>) -> Prepared<'a> {
        Prepared::new(&self.table, context, ambient)
    }

    /// The context fields that can influence the flag's explanation, and so its decision and its
    /// variant: sorted by name, each once. Contexts with equal values in them have equal explanations
    /// in equal ambients.
    #[must_use]
    pub fn reads(&self, flag: FlagId) -> Vec<&str> {
        self.table.reads(flag)
    }

    /// The constraints of a flag that could not be understood when it was compiled, and what is wrong with each: they hold
    /// for nobody, inverted or not. Constraints of its segments are among them.
    pub fn unreadable(&self, flag: FlagId) -> impl Iterator<Item = (ConditionPlace, &ConstraintProblem)> {
        self.table.unreadable(flag)
    }

    /// The context fields that some flag reads or once read, the standard ones included.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = &str> {
        self.table.fields.names()
    }

    #[inline]
    fn evaluator<'e, 'c>(
        &'e self,
        context: &'c Context,
        ambient: &'c Ambient<'c>,
    ) -> Evaluator<'e, 'c, BorrowedContext<'e, 'c>> {
        Evaluator {
            table: &self.table,
            ambient,
            context: BorrowedContext {
                context,
                fields: &self.table.fields,
            },
        }
    }
}

/// The numbers of the flags of an update. New names, those of new parents included, get new numbers.
fn number_all(table: &mut FlagTable, update: &Update) -> Vec<u32> {
    let names: Vec<&FlagName> = update
        .flags
        .iter()
        .map(|put| match put {
            Write::Upsert(flag) => &flag.name,
            Write::Delete(name) => name,
        })
        .collect();
    let parents = update.flags.iter().flat_map(|put| match put {
        Write::Upsert(flag) => flag.dependencies.as_slice(),
        Write::Delete(_) => &[],
    });
    let mut unknown: Vec<&FlagName> = names
        .iter()
        .copied()
        .chain(parents.map(|dependency| &dependency.parent))
        .filter(|name| table.find(name.as_str()).is_none())
        .collect();
    unknown.sort_unstable();
    unknown.dedup();
    table.extend(unknown.into_iter().cloned().map(Flag::gone).collect());
    names
        .into_iter()
        .filter_map(|name| table.find(name.as_str()))
        .collect()
}

/// The chunk of a flag that is taken away.
fn gone(name: &FlagName) -> Chunk {
    let mut chunk = ChunkBuilder::default();
    chunk.push(Flag::gone(name.clone()), Label::default());
    chunk.finish()
}
