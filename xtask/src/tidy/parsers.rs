//! One parser for each kind of value: numbers, instants, versions, networks, addresses and patterns are parsed in `vexil-values`
//! and nowhere else, and the document of a constraint is read in one file of `vexil-domain`.

use syn::visit::{self, Visit};
use syn::{
    Attribute, ExprMethodCall, GenericArgument, ImplItemFn, Item, ItemFn, ItemMod, LitStr, Path, Type,
    UseTree,
};

use super::files::TextFile;

/// Where the parsers are.
const PARSERS: &str = "crates/vexil-values/src/";
/// Where the document of a constraint is read.
const CONSTRAINT_READER: &str = "crates/vexil-domain/src/constraint/document.rs";
/// A member that only constraints have.
const MEMBER_OF_CONSTRAINTS: &str = "caseInsensitive";

/// Types whose text is a value that constraints compare with.
const VALUES: &[&str] = &[
    "f32",
    "f64",
    "IpAddr",
    "Ipv4Addr",
    "Ipv6Addr",
    "IpNet",
    "Regex",
    "Version",
    "OffsetDateTime",
];

/// Crates that parse such values.
const CRATES: &[&str] = &["ipnet", "regex", "semver"];

/// Calls that parse such values, by the last two names of their path.
const CALLS: &[[&str; 2]] = &[
    ["Date", "parse"],
    ["OffsetDateTime", "parse"],
    ["PrimitiveDateTime", "parse"],
    ["UtcDateTime", "parse"],
    ["Time", "parse"],
    ["DateTime", "parse_from_rfc3339"],
    ["f32", "from_str"],
    ["f64", "from_str"],
    ["IpAddr", "from_str"],
    ["Regex", "new"],
    ["RegexBuilder", "new"],
    ["ParserBuilder", "new"],
    ["Parser", "new"],
    ["regex_syntax", "parse"],
    ["serde", "rfc3339"],
];

/// Where something else is parsed, and what.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    (
        "crates/vexil-change-request/src/document.rs",
        "serde::rfc3339",
        "times of a stored change request, as this program has written them",
    ),
    (
        "crates/vexil-change-request/src/request.rs",
        "serde::rfc3339",
        "times of a stored change request, as this program has written them",
    ),
    (
        "crates/vexil-change-request/src/schedule.rs",
        "serde::rfc3339",
        "times of a stored change request, as this program has written them",
    ),
    (
        "crates/vexil-server/src/accept_encoding.rs",
        "f32",
        "the weight of a content coding, by the grammar of HTTP",
    ),
    (
        "crates/vexil-ui/src/encoding.rs",
        "f32",
        "the weight of a content coding, by the grammar of HTTP",
    ),
];

/// Every second parser.
pub(super) fn problems(files: &[TextFile]) -> Vec<String> {
    files.iter().flat_map(one).collect()
}

/// The second parsers of one file.
pub(super) fn one(file: &TextFile) -> Vec<String> {
    let in_library = file.path.starts_with("crates/") && file.path.contains("/src/");
    let is_code = in_library && file.path.ends_with(".rs") && !file.path.ends_with("/tests.rs");
    let is_test = file.path.contains("/tests/") || file.path.contains("/conformance/");
    if !is_code || is_test {
        return Vec::new();
    }
    let Ok(parsed) = syn::parse_file(&file.text) else {
        return vec![format!("{}: is no Rust", file.path)];
    };
    let mut found = Found::default();
    found.visit_file(&parsed);
    let mut problems = Vec::new();
    if file.path != CONSTRAINT_READER
        && found
            .literals
            .iter()
            .any(|literal| literal == MEMBER_OF_CONSTRAINTS)
    {
        problems.push(format!(
            "{}: names `{MEMBER_OF_CONSTRAINTS}`: constraints are read by `vexil_domain::read_constraint`",
            file.path
        ));
    }
    if file.path.starts_with(PARSERS) {
        return problems;
    }
    let elsewhere = |what: &str| {
        ELSEWHERE
            .iter()
            .any(|(path, known, _)| *path == file.path && what.contains(known))
    };
    for what in found.parsers.iter().filter(|what| !elsewhere(what)) {
        problems.push(format!(
            "{}: `{what}` is a second parser: vexil-values has one (xtask/src/tidy/parsers.rs)",
            file.path
        ));
    }
    for _ in 0..found.untyped {
        problems.push(format!(
            "{}: say what text is parsed into, as in `parse::<u64>()`",
            file.path
        ));
    }
    problems
}

#[derive(Default)]
struct Found {
    parsers: Vec<String>,
    /// So many calls of `parse` do not name a type.
    untyped: usize,
    literals: Vec<String>,
}

impl Found {
    fn names(&mut self, names: &[String]) {
        let parses = names
            .first()
            .is_some_and(|first| CRATES.contains(&first.as_str()));
        let calls = names
            .windows(2)
            .any(|pair| CALLS.iter().any(|[kind, call]| pair == [*kind, *call]));
        if parses || calls {
            self.parsers.push(names.join("::"));
        }
    }

    fn imports(&mut self, tree: &UseTree, path: &mut Vec<String>) {
        let before = path.len();
        match tree {
            UseTree::Path(step) => {
                path.push(step.ident.to_string());
                self.imports(&step.tree, path);
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.imports(tree, path)),
            UseTree::Name(name) => self.names(&[path.as_slice(), &[name.ident.to_string()]].concat()),
            UseTree::Rename(name) => self.names(&[path.as_slice(), &[name.ident.to_string()]].concat()),
            UseTree::Glob(_) => self.names(path),
        }
        path.truncate(before);
    }
}

impl<'ast> Visit<'ast> for Found {
    fn visit_item(&mut self, item: &'ast Item) {
        if let Item::Use(it) = item {
            self.imports(&it.tree, &mut Vec::new());
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        if !is_test(&function.attrs) {
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        if !is_test(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        if call.method == "parse" && call.args.is_empty() {
            let kind = call.turbofish.as_ref().and_then(|kind| kind.args.first());
            match kind {
                Some(GenericArgument::Type(Type::Path(kind))) => {
                    let last = kind.path.segments.last().map(|last| last.ident.to_string());
                    let value = last.filter(|last| VALUES.contains(&last.as_str()));
                    self.parsers
                        .extend(value.map(|value| format!("parse::<{value}>")));
                }
                Some(_) => {}
                None => self.untyped += 1,
            }
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_path(&mut self, path: &'ast Path) {
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        // a path of one name is a thing of this file, whatever it is called
        if names.len() > 1 {
            self.names(&names);
        }
        visit::visit_path(self, path);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let list = attribute.meta.require_list();
        if list.is_ok_and(|list| list.tokens.to_string().contains("time::serde::rfc3339")) {
            self.parsers.push("time::serde::rfc3339".to_owned());
        }
    }

    fn visit_lit_str(&mut self, literal: &'ast LitStr) {
        self.literals.push(literal.value());
    }

    fn visit_macro(&mut self, found: &'ast syn::Macro) {
        let tokens = found.tokens.to_string();
        if tokens.contains(&format!("\"{MEMBER_OF_CONSTRAINTS}\"")) {
            self.literals.push(MEMBER_OF_CONSTRAINTS.to_owned());
        }
        visit::visit_macro(self, found);
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let words = attribute.meta.require_list().map(|list| list.tokens.to_string());
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg") && words.is_ok_and(|words| words == "test")
    })
}
