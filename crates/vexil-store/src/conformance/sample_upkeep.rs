//! What people note about flags and projects, with something in every field.

use time::Duration;
use vexil_domain::{Completion, FeatureFlag, FlagLink};

use super::sample::NOW;
use crate::Favorites;

/// The flag with links, one of them without a title, and with a completion.
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
        at: NOW + Duration::MINUTE,
    };
    FeatureFlag {
        links: vec![link("2", Some("größe, \"a\"")), link("1", None)],
        completed: Some(completion),
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
