//! Files that need each other. A name counts for the file that defines it, however often it is handed on.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

use super::modules::{self, Module};
use crate::metadata::Package;
use crate::outcome::Outcome;
use crate::program::root;

/// Every circle among the files of every crate.
pub(super) fn problems(packages: &[Package]) -> Outcome<Vec<String>> {
    let mut problems = Vec::new();
    for package in packages {
        for start in ["src/lib.rs", "src/main.rs"] {
            let file = package.folder.join(start);
            if file.is_file() {
                problems.extend(circles(&modules::read(&file)?));
            }
        }
    }
    Ok(problems)
}

/// The circles among some modules: the shortest way round from each file that is in one and not in an earlier one.
pub(super) fn circles(modules: &[Module]) -> Vec<String> {
    let arrows = Names(modules).arrows();
    let mut told = BTreeSet::new();
    let mut circles = Vec::new();
    for file in arrows.keys() {
        if told.contains(file) {
            continue;
        }
        if let Some(circle) = shortest(&arrows, file) {
            told.extend(circle.iter().map(|(from, _)| *from));
            circles.push(describe(&circle));
        }
    }
    circles
}

/// For each file, the files that it needs, each with a name that shows it.
type Arrows<'a> = BTreeMap<&'a Path, BTreeMap<&'a Path, String>>;

/// The shortest way from a file to itself: each file with the name by which it needs the next.
fn shortest<'a>(arrows: &'a Arrows<'a>, start: &'a Path) -> Option<Vec<(&'a Path, &'a str)>> {
    let mut came_from: BTreeMap<&Path, &Path> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(file) = queue.pop_front() {
        for next in arrows.get(file).into_iter().flat_map(BTreeMap::keys) {
            if !came_from.contains_key(next) {
                came_from.insert(next, file);
                queue.push_back(next);
            }
        }
    }
    let mut circle = Vec::new();
    let mut to = start;
    loop {
        let from = *came_from.get(to)?;
        circle.push((from, arrows.get(from)?.get(to)?.as_str()));
        to = from;
        if to == start {
            circle.reverse();
            return Some(circle);
        }
    }
}

fn describe(circle: &[(&Path, &str)]) -> String {
    let shown = |file: &Path| {
        let file = file.strip_prefix(root()).unwrap_or(file);
        file.display().to_string()
    };
    let steps: Vec<String> = circle
        .iter()
        .map(|(from, name)| format!("{} needs `{name}` of", shown(from)))
        .collect();
    let start = circle.first().map(|(from, _)| shown(from)).unwrap_or_default();
    format!("circle: {} {start}", steps.join(" "))
}

/// What a path leads to.
#[derive(Clone, Copy)]
enum Target<'a> {
    Module(&'a Module),
    /// Something that this module defines.
    Item(&'a Module),
}

/// Finds what names mean.
struct Names<'a>(&'a [Module]);

/// What names mean in modules, as far as they were looked up for one path. A name that is still being looked up means
/// nothing: it is no answer to itself. So however many globs hand on to each other, each is looked through once.
type Known<'a> = BTreeMap<(&'a [String], String), Option<Target<'a>>>;

impl<'a> Names<'a> {
    fn arrows(&self) -> Arrows<'a> {
        let mut arrows = Arrows::new();
        for module in self.0 {
            let used = |name: &Option<String>| {
                let name = name.as_ref();
                let firsts = module.references.iter().filter_map(|path| path.first());
                firsts.into_iter().any(|first| Some(first) == name)
            };
            let imports = module
                .imports
                .iter()
                .filter(|import| !import.handed_on || used(&import.name))
                .map(|import| &import.path);
            for path in imports.chain(&module.references) {
                if let Some(Target::Item(needed)) = self.resolve(module, path, &mut Known::new())
                    && needed.file != module.file
                {
                    let names = arrows.entry(module.file.as_path()).or_default();
                    names
                        .entry(needed.file.as_path())
                        .or_insert_with(|| path.join("::"));
                }
            }
        }
        arrows
    }

    fn module(&self, path: &[String]) -> Option<&'a Module> {
        self.0.iter().find(|module| module.path == path)
    }

    /// What a path means in a module; `None` for what is not of this crate.
    fn resolve(&self, module: &'a Module, path: &[String], known: &mut Known<'a>) -> Option<Target<'a>> {
        let (first, mut rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" | "$crate" => Target::Module(self.module(&[])?),
            "self" => Target::Module(module),
            "super" => Target::Module(self.module(module.path.split_last()?.1)?),
            name => self.lookup(module, name, known)?,
        };
        while let (Target::Module(inside), Some((name, behind))) = (at, rest.split_first()) {
            at = match name.as_str() {
                "super" => Target::Module(self.module(inside.path.split_last()?.1)?),
                "self" => at,
                name => self.lookup(inside, name, known)?,
            };
            rest = behind;
        }
        Some(at)
    }

    /// What a name means in a module.
    fn lookup(&self, module: &'a Module, name: &str, known: &mut Known<'a>) -> Option<Target<'a>> {
        let key = (module.path.as_slice(), name.to_owned());
        if let Some(target) = known.get(&key) {
            return *target;
        }
        known.insert(key.clone(), None);
        let target = self.look_through(module, name, known);
        known.insert(key, target);
        target
    }

    fn look_through(&self, module: &'a Module, name: &str, known: &mut Known<'a>) -> Option<Target<'a>> {
        if module.children.contains(name) {
            let path = [module.path.as_slice(), &[name.to_owned()]].concat();
            return self.module(&path).map(Target::Module);
        }
        if module.items.contains(name) {
            return Some(Target::Item(module));
        }
        let named = module
            .imports
            .iter()
            .filter(|import| import.name.as_deref() == Some(name));
        for import in named {
            if import.path.len() == 1 && import.path.first().is_some_and(|only| only == name) {
                continue;
            }
            if let Some(target) = self.resolve(module, &import.path, known) {
                return Some(target);
            }
        }
        let all = module.imports.iter().filter(|import| import.name.is_none());
        for import in all {
            match self.resolve(module, &import.path, known) {
                Some(Target::Module(inside)) if inside.path != module.path => {
                    if let Some(target) = self.lookup(inside, name, known) {
                        return Some(target);
                    }
                }
                _ => {}
            }
        }
        None
    }
}
