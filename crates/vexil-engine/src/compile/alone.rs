//! A flag in a chunk of its own.

use vexil_domain::{Dependency, EnvironmentFlag};

use super::{Linker, compile_flag};
use crate::chunk::{Chunk, ChunkBuilder};
use crate::flag_table::FlagTable;
use crate::program::Parent;

/// Compiles a flag into a chunk of its own. Its parents must have numbers.
pub(crate) fn compile_alone(flag: &EnvironmentFlag, table: &FlagTable, linker: &mut Linker) -> Chunk {
    let parents = flag.dependencies.iter().filter_map(|dependency| {
        let number = table.find(dependency.parent.as_str())?;
        Some(compile_parent(number, dependency))
    });
    let mut chunk = ChunkBuilder::default();
    compile_flag(flag, parents.collect(), linker, &mut chunk);
    chunk.finish()
}

fn compile_parent(flag: u32, dependency: &Dependency) -> Parent {
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
