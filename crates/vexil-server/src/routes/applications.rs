//! Applications: who has registered, and which flags they use.

use std::collections::BTreeMap;

use actix_web::HttpResponse;
use actix_web::web::Data;
use vexil_admin_api::applications::{ApplicationDocument, ApplicationList};
use vexil_client_api::query::pairs;
use vexil_service::App;
use vexil_service::operations::Error;
use vexil_service::operations::applications::{details, names};

use crate::routes::ApiError;
use crate::routes::asked::Asked;
use crate::routes::entity_tag;
use crate::routes::paths::ApplicationPath;

/// The applications whose name contains `query`, from `offset` on, at most `limit`.
pub(crate) async fn applications(app: Data<App>, asked: Asked) -> Result<HttpResponse, ApiError> {
    let page = Page::of(&asked.query)?;
    let descending = page.descending;
    let (known, total) = app
        .read(move |store| {
            let mut names = names(store)?;
            names.retain(|name| name.to_lowercase().contains(&page.wanted));
            let total = names.len();
            let shown = page.part_of(names.into_iter().collect());
            Ok((details(store, &shown)?, total))
        })
        .await?;
    let shown = known.iter().map(|(name, it)| (name.as_str(), it));
    let shown: Vec<_> = if descending {
        shown.rev().collect()
    } else {
        shown.collect()
    };
    let shown = shown.into_iter();
    let serving = app.serving();
    entity_tag::document(
        &asked.headers,
        &ApplicationList::new(shown, total, &serving.snapshot),
    )
}

/// One application.
pub(crate) async fn application(
    app: Data<App>,
    ApplicationPath { application: name }: ApplicationPath,
    asked: Asked,
) -> Result<HttpResponse, ApiError> {
    let wanted = name.clone();
    let known = app
        .read(move |store| match names(store)?.contains(&wanted) {
            true => details(store, &[wanted]),
            false => Ok(BTreeMap::new()),
        })
        .await?;
    let Some(application) = known.get(&name) else {
        return Err(Error::NotFound(format!("Could not find appName={name}")).into());
    };
    let serving = app.serving();
    entity_tag::document(
        &asked.headers,
        &ApplicationDocument::new(&name, application, &serving.snapshot),
    )
}

/// Which part of a list is wanted.
pub(super) struct Page {
    /// What names must contain, in lower case.
    pub(super) wanted: String,
    /// How many to pass over.
    pub(super) offset: usize,
    /// How many to show at most.
    pub(super) limit: usize,
    /// Whether the last names come first.
    descending: bool,
}

impl Page {
    /// How many are shown where it is not said.
    const LIMIT: usize = 1_000;

    /// What a query asks for.
    pub(super) fn of(query: &str) -> Result<Self, Error> {
        let mut page = Self {
            wanted: String::new(),
            offset: 0,
            limit: Self::LIMIT,
            descending: false,
        };
        // when an application came is not kept: asked for in that order, they come by name
        let mut by_name = true;
        let number = |name: &str, value: &str| {
            let refused = || Error::invalid(format!("The query parameter `{name}` must be a whole number."));
            value.parse::<usize>().map_err(|_no_number| refused())
        };
        for (name, value) in pairs(query) {
            match name.as_str() {
                "query" => page.wanted = value.to_lowercase(),
                "offset" => page.offset = number("offset", &value)?,
                "limit" => page.limit = number("limit", &value)?,
                "sortBy" => {
                    one_of(&name, &value, &["appName", "createdAt"])?;
                    by_name = value == "appName";
                }
                "sortOrder" => {
                    one_of(&name, &value, &["asc", "desc"])?;
                    page.descending = value == "desc";
                }
                _ => {}
            }
        }
        page.descending &= by_name;
        Ok(page)
    }

    /// The part of a list, which is in order, that is wanted.
    pub(super) fn part_of<T>(&self, mut all: Vec<T>) -> Vec<T> {
        if self.descending {
            all.reverse();
        }
        all.into_iter().skip(self.offset).take(self.limit).collect()
    }
}

/// Refuses an order that is not understood.
fn one_of(name: &str, value: &str, known: &[&str]) -> Result<(), Error> {
    if known.contains(&value) {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "The query parameter `{name}` must be {}.",
        known.join(" or ")
    )))
}
