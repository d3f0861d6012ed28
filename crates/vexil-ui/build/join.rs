//! Joins modules into one file: leaves out comments and indentation, imports of neighbours and the word `export`.
//!
//! It reads lines, not JavaScript, so modules keep to a form that lines tell: imports first and by name, comments on
//! lines of their own, texts that end on their line. What it cannot read it refuses.

use std::collections::{BTreeMap, BTreeSet};

/// A module, or one block of the module that holds all texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Module {
    /// Names it takes from others, with the file that has them, relative to this one.
    pub(crate) imports: Vec<(Vec<String>, String)>,
    /// Its lines, without imports, comments and indentation.
    pub(crate) lines: Vec<String>,
}

/// Reads a module.
///
/// # Errors
///
/// When it does not keep to the form.
pub(crate) fn read(name: &str, text: &str) -> Result<Module, String> {
    let mut imports = Vec::new();
    let mut lines = Vec::new();
    let mut rest = text.lines().enumerate();
    while let Some((number, line)) = rest.next() {
        let place = format!("{name}:{}", number + 1);
        let line = without_casts(line.trim());
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        if line.starts_with("/*") {
            let mut end = line.contains("*/");
            while !end {
                let Some((_, next)) = rest.next() else {
                    return Err(format!("{place}: the comment has no end"));
                };
                end = next.contains("*/");
            }
            continue;
        }
        if line.starts_with("import ") && lines.is_empty() {
            let mut whole = line;
            while !whole.ends_with(';') {
                let Some((_, next)) = rest.next() else {
                    return Err(format!("{place}: the import has no end"));
                };
                whole.push(' ');
                whole.push_str(next.trim());
            }
            imports.push(import(&whole).ok_or_else(|| {
                format!("{place}: an import has the form `import {{ a, b }} from './c.js';`")
            })?);
            continue;
        }
        if line.matches('`').count() % 2 == 1 {
            return Err(format!("{place}: a template must end on its line"));
        }
        if line.starts_with("export default") || line.starts_with("export {") {
            return Err(format!(
                "{place}: `export` stands before what it exports, by name"
            ));
        }
        lines.push(line);
    }
    Ok(Module { imports, lines })
}

/// The line without `/** @type … */`, which only checkers read.
fn without_casts(line: &str) -> String {
    let mut left = line.to_owned();
    while let Some(start) = left.find("/** @type") {
        let Some(end) = left.get(start..).and_then(|tail| tail.find("*/")) else {
            break;
        };
        left.replace_range(start..start + end + 2, "");
    }
    left.trim().to_owned()
}

fn import(statement: &str) -> Option<(Vec<String>, String)> {
    let inner = statement.strip_prefix("import {")?.strip_suffix(';')?;
    let (names, from) = inner.split_once("} from ")?;
    let from = from.trim().strip_prefix('\'')?.strip_suffix('\'')?;
    let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
    let names: Vec<String> = names.map(str::to_owned).collect();
    let plain = names.iter().all(|name| is_name(name));
    plain.then(|| (names, from.to_owned()))
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '$')
}

/// What a line declares at the top level, and whether it exports it.
///
/// # Errors
///
/// When one line declares several names.
pub(crate) fn declared(line: &str) -> Result<Option<(&str, bool)>, String> {
    let (line, exported) = match line.strip_prefix("export ") {
        Some(rest) => (rest, true),
        None => (line, false),
    };
    let kinds = ["async function ", "function ", "const ", "let ", "class "];
    let Some(rest) = kinds.iter().find_map(|kind| line.strip_prefix(kind)) else {
        return Ok(None);
    };
    let end = rest
        .find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_' || letter == '$'))
        .unwrap_or(rest.len());
    match rest.get(..end) {
        Some(name) if !name.is_empty() => Ok(Some((name, exported))),
        _ => Err(format!(
            "a declaration at the top level names one thing: `{line}`"
        )),
    }
}

/// What a module exports, in its order.
///
/// # Errors
///
/// When an export declares several names.
pub(crate) fn exports(module: &Module) -> Result<Vec<&str>, String> {
    let exported = module.lines.iter().filter(|line| line.starts_with("export "));
    let mut names = Vec::new();
    for line in exported {
        match declared(line)? {
            Some((name, _)) => names.push(name),
            None => return Err(format!("`{line}` exports what has no name")),
        }
    }
    Ok(names)
}

/// Joins modules in this order, each in a scope of its own, so that only exports must differ in name. `keep` says whose
/// exports stay exports; `outside` are the imports of the whole, by file.
///
/// # Errors
///
/// When two modules export one name.
pub(crate) fn join(
    modules: &[(&str, &Module)],
    keep: impl Fn(&str) -> bool,
    outside: &BTreeMap<String, BTreeSet<String>>,
) -> Result<String, String> {
    let mut text = String::new();
    let mut owners: BTreeMap<&str, &str> = BTreeMap::new();
    for (from, names) in outside {
        owners.extend(names.iter().map(|name| (name.as_str(), from.as_str())));
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        text.push_str(&format!("import {{{}}} from '{from}';\n", names.join(",")));
    }
    for (path, module) in modules {
        let names = exports(module).map_err(|problem| format!("{path}: {problem}"))?;
        for name in &names {
            if let Some(other) = owners.insert(name, path) {
                return Err(format!("`{name}` is exported both by {other} and by {path}"));
            }
        }
        if path.contains('#') {
            // a block of texts declares nothing but itself
            for line in &module.lines {
                let line = if keep(path) {
                    line
                } else {
                    line.strip_prefix("export ").unwrap_or(line)
                };
                text.push_str(line);
                text.push('\n');
            }
            continue;
        }
        let names = names.join(",");
        let export = if keep(path) { "export " } else { "" };
        text.push_str(&match names.as_str() {
            "" => "(() => {\n".to_owned(),
            names => format!("{export}const {{{names}}} = (() => {{\n"),
        });
        for line in &module.lines {
            text.push_str(line.strip_prefix("export ").unwrap_or(line));
            text.push('\n');
        }
        if !names.is_empty() {
            text.push_str(&format!("return {{{names}}};\n"));
        }
        text.push_str("})();\n");
    }
    Ok(text)
}
