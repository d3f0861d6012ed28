//! What people note about flags, as JSON text: links, and that they are done.

use vexil_domain::{Completion, FlagLink};

use crate::error::DbError;
use crate::{instant, json};

const LINKS: &str = "the links of a flag";
const COMPLETION: &str = "the completion of a flag";

/// Id, address, title.
type StoredLink = (String, String, Option<String>);

/// Whether it is kept, what stays, when that was said.
type StoredCompletion = (bool, Option<String>, i64);

pub(super) fn links_to_text(links: &[FlagLink]) -> Result<String, DbError> {
    let links: Vec<(&str, &str, Option<&str>)> = links
        .iter()
        .map(|link| (link.id.as_str(), link.url.as_str(), link.title.as_deref()))
        .collect();
    json::to_text(&links, LINKS)
}

pub(super) fn links_from_text(text: &str) -> Result<Vec<FlagLink>, DbError> {
    let links: Vec<StoredLink> = json::list_from_text(text, LINKS)?;
    let link = |(id, url, title)| FlagLink { id, url, title };
    Ok(links.into_iter().map(link).collect())
}

pub(super) fn completion_to_text(completion: Option<&Completion>) -> Result<Option<String>, DbError> {
    let stored =
        |it: &Completion| -> StoredCompletion { (it.kept, it.value.clone(), instant::to_stored(it.at)) };
    completion
        .map(|it| json::to_text(&stored(it), COMPLETION))
        .transpose()
}

pub(super) fn completion_from_text(text: Option<&str>) -> Result<Option<Completion>, DbError> {
    let Some(text) = text else { return Ok(None) };
    let (kept, value, at): StoredCompletion = json::from_text(text, COMPLETION)?;
    let at = instant::from_stored(at)?;
    Ok(Some(Completion { kept, value, at }))
}
