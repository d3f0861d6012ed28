//! Which sources become which files: `core/` becomes `core.js`, each file of `pages/` and `parts/` one of its own with
//! the neighbours that it uses, `style/` becomes `app.css`. Of the texts each file gets those that it uses.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::join::{Module, declared, exports, join, read};

/// The file of what every page uses.
const CORE: &str = "core.js";

/// The module that starts it.
const CORE_START: &str = "core/main.js";

/// The module that holds all texts, block by block.
const TEXTS: &str = "text.js";

/// Where the modules lie that become files with what they use: pages, and parts that pages load when they want them.
const ENTRIES: [&str; 2] = ["pages/", "parts/"];

/// The module that says which page shows which path.
const ROUTES: &str = "core/routes.js";

/// One file for browsers.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) files: Vec<MadeFile>,
    /// Paths of pages below `ui/`, parameters with a colon, and the file that shows each.
    pub(crate) routes: Vec<(String, String)>,
}

/// A file by its name.
#[derive(Debug)]
pub(crate) struct MadeFile {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Every source below `ui/`: path with `/`, text, and the module if it is one.
struct Sources {
    texts: BTreeMap<String, String>,
    modules: BTreeMap<String, Module>,
}

/// Makes all files out of the folder `ui`.
///
/// # Errors
///
/// When a source is missing or does not keep to the form.
pub(crate) fn make(folder: &Path) -> Result<Made, String> {
    let sources = Sources::read(folder)?;
    sources.check_imports()?;
    let core = sources.order_of_core()?;
    let used = sources.texts_of(&core)?;
    let mut files = vec![MadeFile {
        name: CORE.to_owned(),
        text: sources.file(&core, &used, &BTreeSet::new(), |_| true)?,
    }];
    let entries = sources
        .modules
        .keys()
        .filter(|path| ENTRIES.iter().any(|folder| path.starts_with(folder)));
    for page in entries {
        let order = sources.order(page, |path| !path.starts_with("core/"))?;
        let own: BTreeSet<String> = sources.texts_of(&order)?.difference(&used).cloned().collect();
        files.push(MadeFile {
            name: page.rsplit('/').next().unwrap_or(page).to_owned(),
            text: sources.file(&order, &own, &used, |path| path == page)?,
        });
    }
    let styles = sources
        .texts
        .iter()
        .filter(|(path, _)| path.starts_with("style/"));
    files.push(MadeFile {
        name: "app.css".to_owned(),
        text: styles.map(|(_, text)| style(text)).collect(),
    });
    Ok(Made {
        files,
        routes: sources.routes()?,
    })
}

impl Sources {
    fn read(folder: &Path) -> Result<Self, String> {
        let mut sources = Self {
            texts: BTreeMap::new(),
            modules: BTreeMap::new(),
        };
        sources.collect(folder, "")?;
        let scripts = sources.texts.iter().filter(|(path, _)| path.ends_with(".js"));
        let modules: Result<Vec<_>, String> = scripts
            .map(|(path, text)| Ok((path.clone(), read(path, text)?)))
            .collect();
        sources.modules = modules?.into_iter().collect();
        sources.split_texts()?;
        Ok(sources)
    }

    fn collect(&mut self, folder: &Path, prefix: &str) -> Result<(), String> {
        let trouble = |error: std::io::Error| format!("{}: {error}", folder.display());
        for entry in fs::read_dir(folder).map_err(trouble)? {
            let entry = entry.map_err(trouble)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type().map_err(trouble)?.is_dir() {
                self.collect(&entry.path(), &format!("{prefix}{name}/"))?;
            } else {
                let text = fs::read_to_string(entry.path()).map_err(trouble)?;
                self.texts.insert(format!("{prefix}{name}"), text);
            }
        }
        Ok(())
    }

    /// Makes a module of each block of the texts: `text.js#name`.
    fn split_texts(&mut self) -> Result<(), String> {
        let module = self.module(TEXTS)?.clone();
        let mut blocks: Vec<(String, Vec<String>)> = Vec::new();
        for line in module.lines {
            if line.starts_with("export const ")
                && let Some((name, true)) = declared(&line)?
            {
                blocks.push((name.to_owned(), Vec::new()));
            }
            let Some((_, lines)) = blocks.last_mut() else {
                return Err(format!(
                    "{TEXTS}: begins with `{line}`, not with a block of texts"
                ));
            };
            lines.push(line);
        }
        for (name, lines) in blocks {
            let mentions = |word: &String| lines.iter().any(|line| has_word(line, word));
            let imports = module.imports.iter().map(|(names, from)| {
                let names: Vec<String> = names.iter().filter(|name| mentions(name)).cloned().collect();
                (names, from.clone())
            });
            let imports = imports.filter(|(names, _)| !names.is_empty()).collect();
            self.modules
                .insert(format!("{TEXTS}#{name}"), Module { imports, lines });
        }
        Ok(())
    }

    fn module(&self, path: &str) -> Result<&Module, String> {
        let found = self.modules.get(path);
        found.ok_or_else(|| format!("there is no module ui/{path}"))
    }

    /// Refuses an import of a name that the module does not export.
    fn check_imports(&self) -> Result<(), String> {
        for (path, module) in &self.modules {
            for (names, from) in &module.imports {
                let from = resolve(path, from);
                let exported = exports(self.module(&from)?)?;
                if let Some(name) = names.iter().find(|name| !exported.contains(&name.as_str())) {
                    return Err(format!(
                        "ui/{path} imports `{name}`, which ui/{from} does not export"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Every module of the core, the one that starts it last.
    fn order_of_core(&self) -> Result<Vec<String>, String> {
        let mut order = Vec::new();
        let all = self
            .modules
            .keys()
            .filter(|path| path.starts_with("core/") && *path != CORE_START);
        for path in all.map(String::as_str).chain([CORE_START]) {
            self.visit(
                path,
                |path| path.starts_with("core/"),
                &mut Vec::new(),
                &mut order,
            )?;
        }
        Ok(order)
    }

    /// The modules that `entry` uses and that are `inside`, each behind those that it uses, itself last.
    fn order(&self, entry: &str, inside: impl Fn(&str) -> bool + Copy) -> Result<Vec<String>, String> {
        let mut order = Vec::new();
        self.visit(entry, inside, &mut Vec::new(), &mut order)?;
        Ok(order)
    }

    fn visit(
        &self,
        path: &str,
        inside: impl Fn(&str) -> bool + Copy,
        open: &mut Vec<String>,
        order: &mut Vec<String>,
    ) -> Result<(), String> {
        if order.iter().any(|done| done == path) {
            return Ok(());
        }
        if open.iter().any(|above| above == path) {
            return Err(format!("ui/{path} uses itself, through {}", open.join(", ")));
        }
        open.push(path.to_owned());
        for (_, from) in &self.module(path)?.imports {
            let used = resolve(path, from);
            if used != TEXTS && inside(&used) {
                self.visit(&used, inside, open, order)?;
            }
        }
        open.pop();
        order.push(path.to_owned());
        Ok(())
    }

    /// The names of the blocks of texts that modules use.
    fn texts_of(&self, modules: &[String]) -> Result<BTreeSet<String>, String> {
        let mut found = BTreeSet::new();
        for path in modules {
            for (names, from) in &self.module(path)?.imports {
                if resolve(path, from) == TEXTS {
                    found.extend(names.iter().cloned());
                }
            }
        }
        Ok(found)
    }

    /// One file: the texts of its own, then its modules. `shared` are the texts that the core has.
    fn file(
        &self,
        order: &[String],
        own: &BTreeSet<String>,
        shared: &BTreeSet<String>,
        keep: impl Fn(&str) -> bool,
    ) -> Result<String, String> {
        let texts: Vec<String> = own.iter().map(|name| format!("{TEXTS}#{name}")).collect();
        let is_core = order.last().is_some_and(|path| path.starts_with("core/"));
        let mut outside: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut parts = Vec::new();
        for path in texts.iter().chain(order) {
            let module = self.module(path)?;
            for (names, from) in &module.imports {
                let from = resolve(path, from);
                let taken = names
                    .iter()
                    .filter(|name| from.starts_with("core/") || (from == TEXTS && shared.contains(*name)));
                if !is_core {
                    outside
                        .entry(format!("./{CORE}"))
                        .or_default()
                        .extend(taken.cloned());
                }
            }
            parts.push((path.as_str(), module));
        }
        outside.retain(|_, names| !names.is_empty());
        join(
            &parts,
            |path| keep(path) || (is_core && path.starts_with(TEXTS)),
            &outside,
        )
    }

    /// The lines `['path/:parameter', 'page'],` of the module of routes.
    fn routes(&self) -> Result<Vec<(String, String)>, String> {
        let mut routes = Vec::new();
        for line in &self.module(ROUTES)?.lines {
            let Some(inner) = line.strip_prefix("['").and_then(|line| line.strip_suffix("'],")) else {
                continue;
            };
            let (pattern, page) = inner
                .split_once("', '")
                .ok_or_else(|| format!("ui/{ROUTES}: a route is `['path', 'page'],`, not `{line}`"))?;
            self.module(&format!("pages/{page}.js"))?;
            routes.push((pattern.to_owned(), page.to_owned()));
        }
        Ok(routes)
    }
}

/// The path of a module that another one imports.
fn resolve(path: &str, from: &str) -> String {
    let path = path.split('#').next().unwrap_or(path);
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in from.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// Whether a line names `word`, as a word of its own.
fn has_word(line: &str, word: &str) -> bool {
    let inner = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '$';
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).and_then(|head| head.chars().next_back());
        let after = line.get(at + word.len()..).and_then(|tail| tail.chars().next());
        !before.is_some_and(inner) && !after.is_some_and(inner)
    })
}

/// A style sheet without comments and indentation.
fn style(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = tail.split_once("*/").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    let lines = kept.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| format!("{line}\n")).collect()
}
