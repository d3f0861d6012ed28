//! Compiles an engine flag by flag.

use std::collections::BTreeMap;

use vexil_domain::{EnvironmentFlag, EnvironmentSnapshot, FlagName, Segment};

use crate::chunk::{CHUNK, Chunk, ChunkBuilder, Label};
use crate::compile::{Linker, compile_alone, compile_flag, warn_of_parents};
use crate::flag_table::FlagTable;
use crate::names::Names;
use crate::program::Flag;
use crate::values::hash::hash;
use crate::{CustomStrategies, Engine, Warning, source};

/// Compiles flags and segments one by one, in any order, so that nobody needs to hold all of them at once.
///
/// A later flag or segment of the same name or id takes the place of an earlier one.
#[derive(Debug, Default)]
pub struct Builder {
    linker: Linker,
    chunks: Vec<Chunk>,
    last: ChunkBuilder,
    names: Names,
    /// Flags with parents, and flags that took the place of an earlier one: compiled when all names are known.
    later: BTreeMap<u32, EnvironmentFlag>,
}

impl Builder {
    /// Makes custom strategy types known to the flags that come after.
    pub fn custom(&mut self, strategies: CustomStrategies) -> &mut Self {
        self.linker.custom = strategies;
        self
    }

    /// Adds a flag.
    pub fn flag(&mut self, flag: &impl source::Flag) -> &mut Self {
        let hash = hash(flag.name().as_str().as_bytes());
        match self.find(hash, flag.name()) {
            Some(number) => drop(self.later.insert(number, flag.to_flag())),
            None if flag.dependencies().is_empty() => {
                compile_flag(flag, Box::default(), &mut self.linker, &mut self.last);
                self.number(hash);
            }
            None => {
                self.last.push(Flag::gone(flag.name().clone()), Label::default());
                let number = self.number(hash);
                self.later.insert(number, flag.to_flag());
            }
        }
        self
    }

    /// Adds a segment.
    pub fn segment(&mut self, segment: &Segment) -> &mut Self {
        self.linker.put_segment(segment);
        self
    }

    /// The engine, and what could not be understood.
    #[must_use]
    pub fn finish(mut self) -> (Engine, Vec<Warning>) {
        let later = std::mem::take(&mut self.later);
        for dependency in later.values().flat_map(|flag| &flag.dependencies) {
            let hash = hash(dependency.parent.as_str().as_bytes());
            if self.find(hash, &dependency.parent).is_none() {
                self.last
                    .push(Flag::gone(dependency.parent.clone()), Label::default());
                self.number(hash);
            }
        }
        if !self.last.flags.is_empty() {
            self.chunks.push(self.last.finish_with_own_names());
        }
        let mut linker = self.linker;
        let fields = std::sync::Arc::clone(&linker.fields);
        let segments = std::sync::Arc::clone(&linker.segments);
        let custom = linker.custom.clone();
        let mut table = FlagTable::new(&self.chunks, self.names, fields, segments, custom);
        let compiled = later
            .iter()
            .map(|(number, flag)| (*number, compile_alone(flag, &table, &mut linker)))
            .collect();
        table.replace(&compiled);
        table.fields = std::sync::Arc::clone(&linker.fields);
        table.segments = std::sync::Arc::clone(&linker.segments);
        table.all().for_each(|flag_ref| linker.warn_of_segments(flag_ref));
        let mut warnings = linker.warnings;
        warn_of_parents(&table, 0..table.slots(), &mut warnings);
        (Engine::of(table), warnings)
    }

    fn find(&self, hash: u64, name: &FlagName) -> Option<u32> {
        self.names.find(hash, |number| {
            let place = number as usize;
            let chunk = self.chunks.get(place / CHUNK);
            let flags = chunk.map_or(self.last.flags.as_slice(), |chunk| &chunk.flags);
            let flag = flags.get(place % CHUNK)?;
            (flag.name == *name).then_some(number)
        })
    }

    /// Numbers the flag that was just appended, whose name has this hash.
    fn number(&mut self, hash: u64) -> u32 {
        let number = (self.chunks.len() * CHUNK + self.last.flags.len() - 1) as u32;
        self.names.add(hash, number);
        if self.last.is_full() {
            let chunk = self.last.finish_with_own_names();
            self.chunks.push(chunk);
        }
        number
    }
}

impl Default for Engine {
    /// An engine without flags.
    fn default() -> Self {
        Builder::default().finish().0
    }
}

impl Engine {
    /// Compiles a snapshot. This never fails: what cannot be understood is off, alone, and warned of.
    #[must_use]
    pub fn compile(snapshot: &EnvironmentSnapshot) -> (Self, Vec<Warning>) {
        Self::compile_with(snapshot, CustomStrategies::default())
    }

    /// Compiles a snapshot for an application that decides custom strategies itself. All engines that are
    /// [`updated`](Self::updated) from this one know them too.
    #[must_use]
    pub fn compile_with(snapshot: &EnvironmentSnapshot, custom: CustomStrategies) -> (Self, Vec<Warning>) {
        let mut builder = Self::builder();
        builder.custom(custom);
        for segment in snapshot.segments.values() {
            builder.segment(segment);
        }
        for flag in snapshot.flags.values() {
            builder.flag(&**flag);
        }
        builder.finish()
    }

    /// Compiles flag by flag.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }
}
