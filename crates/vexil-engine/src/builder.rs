//! Compiles an engine flag by flag.

use std::collections::BTreeMap;

use vexil_domain::{Dependency, EnvironmentFlag, FlagName, Segment};

use crate::compile::{Linker, compile_flag, warn_of_parents};
use crate::names::Names;
use crate::program::{Answer, Flag, Parent};
use crate::values::hash::hash;
use crate::world::World;
use crate::{Engine, Warning};

/// Compiles flags and segments one by one, in any order, so that nobody needs to hold all of them at once.
///
/// A later flag or segment of the same name or id takes the place of an earlier one.
#[derive(Debug)]
pub struct Builder {
    linker: Linker,
    flags: Vec<Flag>,
    names: Names,
    /// The parents of flags, by the flags' numbers.
    dependencies: BTreeMap<u32, Vec<Dependency>>,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            linker: Linker::default(),
            flags: Vec::new(),
            names: Names::with_room(0),
            dependencies: BTreeMap::new(),
        }
    }
}

impl Builder {
    /// Adds a flag.
    pub fn flag(&mut self, flag: &EnvironmentFlag) -> &mut Self {
        let compiled = compile_flag(flag, &mut self.linker);
        let number = self.put(compiled);
        if flag.dependencies.is_empty() {
            self.dependencies.remove(&number);
        } else {
            self.dependencies.insert(number, flag.dependencies.clone());
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
        for (number, dependencies) in std::mem::take(&mut self.dependencies) {
            let parents = dependencies
                .iter()
                .map(|dependency| {
                    let flag = self.find(dependency.parent.as_str());
                    compile_parent(
                        flag.unwrap_or_else(|| self.put(Flag::gone(dependency.parent.clone()))),
                        dependency,
                    )
                })
                .collect();
            if let Some(slot) = self.flags.get_mut(number as usize) {
                let bare = Flag::gone(FlagName::from(""));
                *slot = std::mem::replace(slot, bare).with_parents(parents);
            }
        }
        let mut linker = self.linker;
        for flag in &self.flags {
            linker.warn_of_segments(flag);
        }
        let world = World::new(self.flags, linker.fields, linker.segments);
        let mut warnings = linker.warnings;
        warn_of_parents(&world, 0..world.slots(), &mut warnings);
        (Engine::of(world), warnings)
    }

    fn find(&self, name: &str) -> Option<u32> {
        self.names.find(hash(name.as_bytes()), |number| {
            self.flags
                .get(number as usize)
                .is_some_and(|flag| flag.name.as_str() == name)
        })
    }

    fn put(&mut self, flag: Flag) -> u32 {
        match self.find(flag.name.as_str()) {
            Some(number) => {
                if let Some(slot) = self
                    .flags
                    .get_mut(number as usize)
                    .filter(|_| flag.answer != Answer::Gone)
                {
                    *slot = flag;
                }
                number
            }
            None => {
                let number = self.flags.len() as u32;
                self.names.fill([(hash(flag.name.as_str().as_bytes()), number)]);
                self.flags.push(flag);
                number
            }
        }
    }
}

/// A dependency on the flag of this number.
pub(crate) fn compile_parent(flag: u32, dependency: &Dependency) -> Parent {
    Parent {
        flag,
        enabled: dependency.enabled,
        variants: dependency
            .variants
            .iter()
            .map(|name| name.as_str().into())
            .collect(),
    }
}
