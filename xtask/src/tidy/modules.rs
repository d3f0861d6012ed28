//! The modules of a crate as its files declare them: what each defines, imports and names.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree, Visibility};

use crate::outcome::Outcome;
use anyhow::{Context, Error};

/// One module.
#[derive(Debug, Default)]
pub(super) struct Module {
    /// Its names from the root of the crate, which has none.
    pub(super) path: Vec<String>,
    /// The file that it stands in.
    pub(super) file: PathBuf,
    /// The names that it defines, modules left out.
    pub(super) items: BTreeSet<String>,
    /// The modules in it.
    pub(super) children: BTreeSet<String>,
    pub(super) imports: Vec<Import>,
    /// The paths that its code names.
    pub(super) references: BTreeSet<Vec<String>>,
}

/// A name that a module brings in.
#[derive(Debug)]
pub(super) struct Import {
    /// What it is called here; `None` for everything that the path holds.
    pub(super) name: Option<String>,
    pub(super) path: Vec<String>,
    /// Whether it is handed on: then it is no use of the name by itself.
    pub(super) handed_on: bool,
}

/// The modules of the crate whose root file this is, tests left out.
pub(super) fn read(root: &Path) -> Outcome<Vec<Module>> {
    let mut modules = Vec::new();
    let folder = root.parent().unwrap_or(root);
    read_file(root, folder, Vec::new(), &mut modules)?;
    Ok(modules)
}

/// `folder` is where the files of this file's modules lie.
fn read_file(file: &Path, folder: &Path, path: Vec<String>, modules: &mut Vec<Module>) -> Outcome {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let parsed = syn::parse_file(&text).with_context(|| file.display().to_string())?;
    read_items(&parsed.items, file, folder, path, modules)
}

fn read_items(
    items: &[Item],
    file: &Path,
    folder: &Path,
    path: Vec<String>,
    modules: &mut Vec<Module>,
) -> Outcome {
    let mut module = Module {
        path,
        file: file.to_owned(),
        ..Module::default()
    };
    let mut inner = Vec::new();
    for item in items.iter().filter(|item| !is_test(attributes(item))) {
        match item {
            Item::Mod(found) => {
                module.children.insert(found.ident.to_string());
                inner.push(found);
            }
            other => {
                module.items.extend(name_of(other));
                module.visit_item(other);
            }
        }
    }
    let path = module.path.clone();
    modules.push(module);
    for found in inner {
        read_module(found, file, folder, &path, modules)?;
    }
    Ok(())
}

fn read_module(
    found: &ItemMod,
    file: &Path,
    folder: &Path,
    parent: &[String],
    modules: &mut Vec<Module>,
) -> Outcome {
    let name = found.ident.to_string();
    let path = [parent, std::slice::from_ref(&name)].concat();
    let folder = folder.join(&name);
    if let Some((_, items)) = &found.content {
        return read_items(items, file, &folder, path, modules);
    }
    let choices = [folder.with_extension("rs"), folder.join("mod.rs")];
    let Some(file) = choices.iter().find(|choice| choice.is_file()) else {
        return Err(Error::msg(format!(
            "{}: the file of `mod {name}` is missing",
            file.display()
        )));
    };
    read_file(file, &folder, path, modules)
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let words = attribute.meta.require_list().map(|list| list.tokens.to_string());
        attribute.path().is_ident("cfg") && words.is_ok_and(|words| words == "test")
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(it) => &it.attrs,
        Item::Enum(it) => &it.attrs,
        Item::Fn(it) => &it.attrs,
        Item::Impl(it) => &it.attrs,
        Item::Macro(it) => &it.attrs,
        Item::Mod(it) => &it.attrs,
        Item::Static(it) => &it.attrs,
        Item::Struct(it) => &it.attrs,
        Item::Trait(it) => &it.attrs,
        Item::Type(it) => &it.attrs,
        Item::Use(it) => &it.attrs,
        _ => &[],
    }
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(it) => &it.ident,
        Item::Enum(it) => &it.ident,
        Item::Fn(it) => &it.sig.ident,
        Item::Macro(it) => it.ident.as_ref()?,
        Item::Static(it) => &it.ident,
        Item::Struct(it) => &it.ident,
        Item::Trait(it) => &it.ident,
        Item::Type(it) => &it.ident,
        _ => return None,
    };
    Some(name.to_string())
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let handed_on = !matches!(item.vis, Visibility::Inherited);
        self.import(&item.tree, &mut Vec::new(), handed_on);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = path.segments.iter().map(|segment| segment.ident.to_string());
        self.references.insert(names.collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, found: &'ast syn::Macro) {
        self.visit_path(&found.path);
        self.tokens(found.tokens.clone());
    }

    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_visibility(&mut self, _: &'ast Visibility) {}
}

impl Module {
    fn import(&mut self, tree: &UseTree, path: &mut Vec<String>, handed_on: bool) {
        let before = path.len();
        let mut add = |name: Option<String>, path: Vec<String>| {
            self.imports.push(Import {
                name,
                path,
                handed_on,
            });
        };
        match tree {
            UseTree::Path(step) => {
                path.push(step.ident.to_string());
                self.import(&step.tree, path, handed_on);
            }
            UseTree::Group(group) => group
                .items
                .iter()
                .for_each(|tree| self.import(tree, path, handed_on)),
            UseTree::Glob(_) => add(None, path.clone()),
            UseTree::Name(name) if name.ident == "self" => add(path.last().cloned(), path.clone()),
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                add(Some(name.clone()), [path.as_slice(), &[name]].concat());
            }
            UseTree::Rename(name) => add(
                Some(name.rename.to_string()),
                [path.as_slice(), &[name.ident.to_string()]].concat(),
            ),
        }
        path.truncate(before);
    }

    /// The paths that the arguments of a macro hold, as far as they look like paths.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 && !path.is_empty() {
                        self.references.insert(std::mem::take(&mut path));
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                other => {
                    if let TokenTree::Group(group) = &other {
                        self.tokens(group.stream());
                    }
                    if !path.is_empty() {
                        self.references.insert(std::mem::take(&mut path));
                    }
                    colons = 0;
                }
            }
        }
        if !path.is_empty() {
            self.references.insert(path);
        }
    }
}
