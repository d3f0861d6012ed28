//! The tree as it is, and each rule with a planted fault.

use super::files::TextFile;
use super::{arrows, circles, documents, files, manifests, modules, parsers, problems, sentences, words};
use crate::metadata::{Dependency, Kind, Package};

fn file(path: &str, text: &str) -> TextFile {
    TextFile {
        path: path.to_owned(),
        text: text.to_owned(),
    }
}

fn package(name: &str, dependencies: &[(&str, Kind)]) -> Package {
    let dependencies = dependencies
        .iter()
        .map(|(name, kind)| Dependency {
            name: (*name).to_owned(),
            kind: *kind,
        })
        .collect();
    Package {
        name: name.to_owned(),
        version: "0.0.0".to_owned(),
        rust_version: None,
        license: None,
        folder: Default::default(),
        dependencies,
    }
}

#[test]
fn the_tree_keeps_every_rule() {
    let problems = problems().unwrap();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn an_arrow_from_the_engine_to_the_store_is_found() {
    let engine = package(
        "vexil-engine",
        &[("vexil-domain", Kind::Normal), ("vexil-store", Kind::Normal)],
    );
    assert_eq!(
        arrows::direct(&engine),
        ["vexil-engine must not depend on vexil-store"]
    );
}

#[test]
fn an_arrow_that_only_tests_have_is_free() {
    let engine = package(
        "vexil-engine",
        &[("vexil-client-api", Kind::Dev), ("vexil-proptest", Kind::Dev)],
    );
    assert!(arrows::direct(&engine).is_empty());
}

#[test]
fn nothing_depends_on_the_server() {
    for name in ["vexil-client-api", "vexil-service", "vexil-store", "xtask"] {
        assert_eq!(
            arrows::direct(&package(name, &[("vexil-server", Kind::Normal)])).len(),
            1
        );
    }
}

#[test]
fn a_crate_without_a_line_in_the_table_is_found() {
    assert_eq!(arrows::direct(&package("vexil-extra", &[])).len(), 1);
}

#[test]
fn an_engine_that_reaches_serde_through_another_crate_is_found() {
    let reached = ["vexil-engine", "vexil-domain", "serde"].map(str::to_owned);
    let problems = arrows::beyond_reach("vexil-engine", &arrows::forbidden("vexil-engine"), &reached);
    assert_eq!(
        problems,
        ["vexil-engine must not reach serde (`cargo tree -e normal -p vexil-engine -i serde`)"]
    );
}

#[test]
fn a_library_that_reaches_an_async_runtime_is_found_and_the_server_may() {
    let reached = ["tokio".to_owned()];
    assert_eq!(
        arrows::beyond_reach(
            "vexil-client-api",
            &arrows::forbidden("vexil-client-api"),
            &reached
        )
        .len(),
        1
    );
    for may in ["vexil-service", "vexil-server"] {
        assert!(arrows::beyond_reach(may, &arrows::forbidden(may), &reached).is_empty());
    }
}

#[test]
fn a_service_that_reaches_the_http_server_is_found() {
    let reached = ["tokio", "actix-web"].map(str::to_owned);
    assert_eq!(
        arrows::beyond_reach("vexil-service", &arrows::forbidden("vexil-service"), &reached),
        ["vexil-service must not reach actix-web (`cargo tree -e normal -p vexil-service -i actix-web`)"]
    );
}

#[test]
fn a_manifest_without_the_workspaces_lints_is_found() {
    let manifest =
        "description = \"x\"\nversion.workspace = true\nedition.workspace = true\nlicense.workspace = true\n";
    assert_eq!(
        manifests::lacking("x", manifest),
        ["x: its manifest does not take the workspace's lints"]
    );
    assert!(manifests::lacking("x", &format!("{manifest}\n[lints]\nworkspace = true\n")).is_empty());
}

#[test]
fn a_source_file_must_open_with_its_purpose_and_stay_short() {
    assert_eq!(
        files::one(&file("a.rs", "use b;\n")),
        ["a.rs: does not open with a `//!` line"]
    );
    let long = format!("//! Long.\n{}", "\n".repeat(400));
    assert_eq!(
        files::one(&file("a.rs", &long)),
        ["a.rs: 401 lines, more than 400"]
    );
    assert!(files::one(&file("a.md", &long)).is_empty());
    assert!(
        files::one(&file("a/tests.rs", "use super::b;\n")).is_empty(),
        "it tests the module `a`"
    );
}

#[test]
fn machine_paths_unfinished_work_and_old_words_are_found() {
    for line in [
        concat!("/wo", "rk/main"),
        concat!("// TO", "DO: later"),
        concat!("https://registry.", "npmjs.example"),
    ] {
        assert_eq!(words::one(&file("README.md", line)).len(), 1, "{line}");
    }
    assert_eq!(
        words::one(&file("crates/vexil-engine/src/lib.rs", "fn toggle() {}")).len(),
        1
    );
    assert!(words::one(&file("crates/vexil-client-api/src/lib.rs", "toggles: Vec<()>")).is_empty());
    assert_eq!(
        words::one(&file("crates/vexil-client-api/src/lib.rs", "async fn read() {}")).len(),
        1
    );
}

#[test]
fn a_fourth_word_for_what_went_wrong_is_found() {
    let of = |line: &str| words::one(&file("crates/vexil-engine/src/lib.rs", line)).len();
    for line in [
        "pub enum Refusal {",
        "    pub(crate) struct PageFault;",
        "type Failure = Box<dyn std::error::Error>;",
        "pub struct UnreadableProxies;",
    ] {
        assert_eq!(of(line), 1, "{line}");
    }
    for line in [
        "pub enum StepError {",
        "struct Issuer {",
        "// a struct Fault",
        "fn fault() {}",
    ] {
        assert_eq!(of(line), 0, "{line}");
    }
}

#[test]
fn a_second_parser_of_a_value_is_found_outside_of_the_crate_that_has_the_first() {
    let of = |path: &str, line: &str| parsers::one(&file(path, &format!("{line}\n")));
    let server = "crates/vexil-server/src/lib.rs";
    for line in [
        "fn f(text: &str) { text.parse::<f64>(); }",
        "fn f(text: &str) { text.trim().parse::<std::net::IpAddr>(); }",
        "fn f(text: &str) -> Option<f64> { text.parse().ok() }",
        "fn f(text: &str) { OffsetDateTime::parse(text, &Rfc3339); }",
        "fn f(text: &str) { time::Date::parse(text, DAY); }",
        "fn f(text: &str) { semver::Version::parse(text); }",
        "use semver::Version;",
        "use regex::{Regex, RegexBuilder};",
        "fn f(text: &str) { regex_syntax::parse(text); }",
        "struct Stored(#[serde(with = \"time::serde::rfc3339\")] OffsetDateTime);",
        "fn f(node: Node) { node.get(\"caseInsensitive\"); }",
        "fn f(map: Map) { members!(map, { \"caseInsensitive\" => flag }); }",
    ] {
        assert!(!of(server, line).is_empty(), "{line}");
    }
    for line in [
        "fn f(text: &str) { text.parse::<u64>(); }",
        "fn f(text: &str) { vexil_values::Version::parse(text); }",
        "#[cfg(test)] mod tests { fn f(text: &str) { text.parse::<f64>(); } }",
    ] {
        assert_eq!(of(server, line), Vec::<String>::new(), "{line}");
    }
    assert!(
        of(
            "crates/vexil-values/src/number.rs",
            "fn f(text: &str) { text.parse::<f64>(); }"
        )
        .is_empty()
    );
}

#[test]
fn documents_name_each_crate_and_no_other() {
    let problems =
        documents::crate_differences("`vexil-a` and `vexil-c`, `vexil serve`", &["vexil-a", "vexil-b"]);
    assert_eq!(
        problems,
        [
            "docs/ARCHITECTURE.md names `vexil-c`, which is no crate",
            "docs/ARCHITECTURE.md does not name `vexil-b`"
        ]
    );
}

#[test]
fn a_document_that_names_a_file_which_is_not_there_is_found() {
    let files = [
        file(
            "docs/ARCHITECTURE.md",
            "`auth.rs`, `docs/UI.md`, `operations/gone.rs`, `Engine::updated`",
        ),
        file("crates/vexil-server/src/routes/auth.rs", ""),
    ];
    assert_eq!(
        documents::missing_files(&files),
        [
            "docs/ARCHITECTURE.md names `docs/UI.md`, which is no file",
            "docs/ARCHITECTURE.md names `operations/gone.rs`, which is no file",
        ]
    );
}

/// What `find` says of a crate with these files below `src`.
fn found_in(
    name: &str,
    files: &[(&str, &str)],
    find: impl Fn(&[modules::Module]) -> Vec<String>,
) -> Vec<String> {
    let folder = std::env::temp_dir().join(format!("vexil-tidy-{name}-{}", std::process::id()));
    for (path, text) in files {
        let file = folder.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let found = modules::read(&folder.join("lib.rs")).map(|modules| find(&modules));
    std::fs::remove_dir_all(&folder).unwrap();
    let shown = folder.display().to_string();
    found
        .unwrap()
        .iter()
        .map(|line| line.replace(&shown, ""))
        .collect()
}

#[test]
fn a_circle_between_files_is_found_through_what_hands_a_name_on() {
    let root = ("lib.rs", "mod a; mod b; pub use a::A; pub use b::*;");
    let a = ("a.rs", "use crate::B; pub struct A(B);");
    let b = ("b.rs", "mod inner; pub use inner::B;");
    let inner = ("b/inner.rs", "pub struct B; fn of() -> Option<crate::A> { None }");
    assert_eq!(
        found_in("circle", &[root, a, b, inner], circles::circles),
        ["circle: /a.rs needs `crate::B` of /b/inner.rs needs `crate::A` of /a.rs"]
    );
}

#[test]
fn however_many_globs_there_are_each_is_looked_through_once() {
    let globs: String = (0..30)
        .map(|n| format!("pub use outside_{n}::prelude::*; "))
        .collect();
    let root = ("lib.rs", "mod a; mod b;");
    let a = format!("{globs} pub use crate::b::*; pub struct A(Unknown, B);");
    let b = format!("{globs} pub use crate::a::*; pub struct B; fn of() -> Option<A> {{ None }}");
    assert_eq!(
        found_in("globs", &[root, ("a.rs", &a), ("b.rs", &b)], circles::circles),
        ["circle: /a.rs needs `B` of /b.rs needs `A` of /a.rs"]
    );
}

#[test]
fn handing_names_on_and_tests_make_no_circle() {
    let root = ("lib.rs", "mod a; mod b; pub use a::A; pub use b::B;");
    let a = (
        "a.rs",
        "use crate::B; pub struct A(B); #[cfg(test)] mod tests { use super::*; }",
    );
    let b = ("b.rs", "pub struct B; #[cfg(test)] mod tests { use crate::A; }");
    assert_eq!(
        found_in("none", &[root, a, b], circles::circles),
        Vec::<String>::new()
    );
}

#[test]
fn a_sentence_that_claims_something_of_everything_must_name_a_test_that_is_there() {
    let tests = std::collections::BTreeSet::from(["a_cat_is_never_a_dog"]);
    let of = |text: &str| sentences::one(&file("docs/ARCHITECTURE.md", text), &tests);
    assert_eq!(of("Cats are cats. It is one of them."), Vec::<String>::new());
    assert_eq!(
        of("A cat is never\na dog (`a_cat_is_never_a_dog`)."),
        Vec::<String>::new()
    );
    assert_eq!(of("A cat. It is never a dog.").len(), 1);
    assert_eq!(of("- Only cats.\n- Dogs are the one place.").len(), 2);
    assert_eq!(of("Cats (`a_cat_is_always_a_cat`).").len(), 1);
    assert_eq!(of("# Only\n\n```\nnever\n```"), Vec::<String>::new());
    let row = |text: &str| sentences::one(&file("docs/COMPATIBILITY.md", text), &tests);
    assert_eq!(row("| this | that | test |\n|---|---|---|\n| a | b | |").len(), 1);
}
