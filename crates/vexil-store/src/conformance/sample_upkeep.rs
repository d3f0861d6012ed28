//! What people note about flags and projects, with something in every field.

use time::macros::datetime;
use vexil_domain::{Completion, FeatureFlag, FlagLink};

use crate::Favorites;

/// The flag with links, one of them without a title, with a completion, and older than expected.
#[must_use]
pub fn noted(flag: FeatureFlag) -> FeatureFlag {
    let link = |id: &str, title: Option<&str>| FlagLink {
        id: id.to_owned(),
        url: format!("https://example.com/größe?\"{id}\""),
        title: title.map(str::to_owned),
    };
    let completion = Completion {
        kept: true,
        value: Some("größe".to_owned()),
        at: datetime!(2026-11-27 21:04:20.123456 UTC),
    };
    FeatureFlag {
        links: vec![link("2", Some("größe, \"a\"")), link("1", None)],
        completed: Some(completion),
        potentially_stale: true,
        ..flag
    }
}

/// Favourites of both kinds.
#[must_use]
pub fn favorites() -> Favorites {
    Favorites {
        projects: ["shop".into(), "größer".into()].into(),
        flags: ["payments".into(), "a,\"b\"".into()].into(),
    }
}
