//! Which file shows which page. The table is made from `ui/core/routes.js`, which browsers read.

use crate::ROUTES;

/// The name of the file that shows the page at `path`, a path below `/ui/` as the browser sent it.
#[must_use]
pub fn page_of(path: &str) -> Option<&'static str> {
    let found = ROUTES.iter().find(|(pattern, _)| fits(pattern, path));
    found.map(|(_, page)| *page)
}

fn fits(pattern: &str, path: &str) -> bool {
    let mut wanted = pattern.split('/');
    let mut given = path.split('/');
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(wanted), Some(given)) if wanted.starts_with(':') => {
                if given.is_empty() {
                    return false;
                }
            }
            (Some(wanted), Some(given)) if wanted == given => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_path_fits_part_by_part() {
        for (pattern, path, expected) in [
            ("flags", "flags", true),
            ("flags", "flags/", false),
            ("flags/:project/:flag", "flags/default/a%2Fb", true),
            ("flags/:project/:flag", "flags/default", false),
            ("flags/:project/:flag", "flags//x", false),
            ("flags/:project/:flag", "flags/a/b/c", false),
            ("flags/new", "flags/new", true),
        ] {
            assert_eq!(fits(pattern, path), expected, "{pattern} {path}");
        }
    }
}
