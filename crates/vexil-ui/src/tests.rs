use std::path::Path;

use crate::join::{declared, read};
use crate::sources::make;
use crate::{DIGEST, Encoding, POLICY, Shell, Theme, file, names, page_of, shell};

fn sources() -> Vec<(String, String)> {
    fn collect(folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, found);
            } else {
                found.push((
                    path.display().to_string(),
                    std::fs::read_to_string(&path).unwrap(),
                ));
            }
        }
    }
    let mut found = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("ui"), &mut found);
    found
}

#[test]
fn every_file_has_three_forms_of_one_text() {
    for name in names() {
        let plain = file(name, "").unwrap();
        assert_eq!(plain.encoding, Encoding::Identity);
        let brotli = file(name, "gzip, br").unwrap();
        let gzip = file(name, "gzip").unwrap();
        assert!(brotli.bytes.len() < gzip.bytes.len(), "{name}");
        assert!(gzip.bytes.len() < plain.bytes.len(), "{name}");
        assert_eq!(&gzip.bytes[..2], [0x1f, 0x8b], "{name}");
    }
    assert!(file("none.js", "").is_none());
    assert!(file("../Cargo.toml", "").is_none());
}

#[test]
fn the_digest_is_sixteen_hexadecimal_digits() {
    assert_eq!(DIGEST.len(), 16);
    assert!(DIGEST.bytes().all(|digit| digit.is_ascii_hexdigit()));
}

#[test]
fn every_page_of_the_routes_has_a_file() {
    for path in ["flags", "flags/default/checkout"] {
        let page = page_of(path).unwrap();
        assert!(names().any(|name| name == format!("{page}.js")), "{path}");
    }
    assert_eq!(page_of("nowhere"), None);
    assert_eq!(page_of(""), None);
}

#[test]
fn joined_files_import_the_core_alone_and_hold_no_comment() {
    for name in names().filter(|name| name.ends_with(".js")) {
        let text = String::from_utf8(file(name, "").unwrap().bytes.to_vec()).unwrap();
        let imports: Vec<&str> = text.lines().filter(|line| line.starts_with("import ")).collect();
        if name == "core.js" {
            assert!(imports.is_empty(), "{imports:?}");
        } else {
            assert!(
                imports.iter().all(|line| line.ends_with(" from './core.js';")),
                "{name}: {imports:?}"
            );
            assert!(text.contains("\nexport const {"), "{name}");
        }
        assert!(
            !text
                .lines()
                .any(|line| line.starts_with("//") || line.starts_with("/*")),
            "{name}"
        );
    }
}

#[test]
fn no_source_makes_markup_from_text_or_runs_text() {
    let forbidden = [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "srcdoc",
        "DOMParser",
        "createContextualFragment",
        "setHTML",
        "javascript:",
    ];
    for (path, text) in sources() {
        for word in forbidden {
            assert!(!text.contains(word), "{path} has {word}");
        }
    }
}

#[test]
fn no_source_names_another_origin() {
    for (path, text) in sources() {
        for (at, _) in text.match_indices("://") {
            let before = &text[..at];
            let line = before.rsplit('\n').next().unwrap_or_default();
            let after: String = text[at..].chars().take(40).collect();
            assert!(
                after.starts_with("://www.w3.org/2000/svg"),
                "{path}: {line}{after}"
            );
        }
    }
}

#[test]
fn what_the_shell_is_told_stays_text() {
    let hostile = r#"{"name":"\"><script>alert(1)</script>&amp;'"}"#;
    let text = shell(&Shell {
        base: "/a\"b",
        page: Some("../x"),
        session: hostile,
        given: hostile,
        theme: Some(Theme::Dark),
    });
    assert!(!text.contains("<script>alert"));
    assert!(!text.contains("../x"));
    assert!(text.contains("data-base=\"/a&quot;b\""));
    assert!(text.contains(
        "{&quot;name&quot;:&quot;\\&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;&#39;&quot;}"
    ));
    assert!(text.contains("data-theme=\"dark\""));
}

#[test]
fn the_shell_has_neither_inline_script_nor_inline_style() {
    let text = shell(&Shell {
        session: "null",
        ..Shell::default()
    });
    assert_eq!(text.matches("<script").count(), 1);
    assert!(text.contains("<script type=\"module\" src=\"/ui/"));
    assert!(!text.contains("<style"));
    assert!(!text.contains(" style="));
    assert!(!text.contains(" on"));
    assert!(!POLICY.contains("unsafe"));
}

#[test]
fn a_module_loses_comments_casts_imports_and_indentation() {
    let text = "// About it.\nimport { a,\n  b } from './c.js';\n\n/**\n * More.\n */\nexport const x = /** @type {any} */ (a);\n  // inside\n  b();\n";
    let module = read("m.js", text).unwrap();
    assert_eq!(
        module.imports,
        [(vec!["a".to_owned(), "b".to_owned()], "./c.js".to_owned())]
    );
    assert_eq!(module.lines, ["export const x =  (a);", "b();"]);
}

#[test]
fn a_module_that_lines_do_not_tell_is_refused() {
    for text in [
        "import * as a from './b.js';\n",
        "import { a as b } from './c.js';\n",
        "import a from './b.js';\n",
        "export default 1;\n",
        "const a = `one\ntwo`;\n",
        "/* no end\n",
        "import { a }\n",
    ] {
        assert!(read("m.js", text).is_err(), "{text}");
    }
    assert!(declared("const { a, b } = c;").is_err());
    assert_eq!(
        declared("export async function page(x) {").unwrap(),
        Some(("page", true))
    );
}

/// A folder of sources that is gone afterwards.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Self(std::env::temp_dir().join(format!("vexil-ui-{}-{name}", std::process::id())));
        folder.write(
            "text.js",
            "export const own = { a: 'a' };\nexport const other = { b: 'b' };\n",
        );
        folder.write(
            "core/main.js",
            "import { ROUTES } from './routes.js';\nROUTES.at(0);\n",
        );
        folder.write(
            "core/routes.js",
            "export const ROUTES = [\n  ['one', 'one'],\n];\n",
        );
        folder.write(
            "pages/one.js",
            "import { two } from '../two.js';\nimport { own } from '../text.js';\nconst x = 1;\nexport function page() { return two(own, x); }\n",
        );
        folder.write("two.js", "const x = 2;\nexport function two() { return x; }\n");
        folder
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.0.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

#[test]
fn a_page_is_one_file_with_its_neighbours_and_the_texts_it_uses() {
    let folder = Folder::new("page");
    let made = make(&folder.0).unwrap();
    assert_eq!(made.routes, [("one".to_owned(), "one".to_owned())]);
    let page = made.files.iter().find(|file| file.name == "one.js").unwrap();
    assert_eq!(
        page.text,
        "const own = { a: 'a' };\n\
         const {two} = (() => {\nconst x = 2;\nfunction two() { return x; }\nreturn {two};\n})();\n\
         export const {page} = (() => {\nconst x = 1;\nfunction page() { return two(own, x); }\nreturn {page};\n})();\n"
    );
}

#[test]
fn what_cannot_be_joined_is_refused_by_name() {
    let folder = Folder::new("refused");
    let refused = |path: &str, text: &str| {
        let kept = std::fs::read_to_string(folder.0.join(path)).unwrap_or_default();
        folder.write(path, text);
        let problem = make(&folder.0).unwrap_err();
        folder.write(path, &kept);
        problem
    };
    assert_eq!(
        refused("two.js", "export const page = 1;\nexport const two = 2;\n"),
        "`page` is exported both by two.js and by pages/one.js"
    );
    assert_eq!(
        refused("two.js", "function two() {}\n"),
        "ui/pages/one.js imports `two`, which ui/two.js does not export"
    );
    assert!(
        refused(
            "two.js",
            "import { page } from './pages/one.js';\nexport const two = page;\n"
        )
        .contains("uses itself")
    );
    assert_eq!(
        refused(
            "core/routes.js",
            "export const ROUTES = [\n  ['one', 'none'],\n];\n"
        ),
        "there is no module ui/pages/none.js"
    );
    assert!(refused("text.js", "const own = 1;\n").contains("not with a block of texts"));
}
