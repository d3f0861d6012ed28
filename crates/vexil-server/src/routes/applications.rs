//! Applications: who has registered, which flags they use, and what people say of them.

use std::collections::BTreeMap;

use actix_web::HttpResponse;
use actix_web::web::Data;
use vexil_admin_api::application_form::ApplicationForm;
use vexil_admin_api::applications::{Application, ApplicationDocument, ApplicationList};
use vexil_client_api::query::pairs;
use vexil_service::App;
use vexil_service::operations::applications::{details, heard, names};
use vexil_service::operations::{Error, application_words, known_applications};

use crate::routes::ApiError;
use crate::routes::asked::Asked;
use crate::routes::auth::Caller;
use crate::routes::bodies::Body;
use crate::routes::entity_tag;
use crate::routes::paths::ApplicationPath;

/// The applications whose name contains `query`, from `offset` on, at most `limit`.
pub(crate) async fn applications(app: Data<App>, asked: Asked) -> Result<HttpResponse, ApiError> {
    let page = Page::of(&asked.query)?;
    let descending = page.descending;
    let kept = known_applications::all(&app.serving().access.tables.settings)?;
    let (known, total) = app
        .read(move |store| {
            let mut names = names(store, &kept)?;
            names.retain(|name| name.to_lowercase().contains(&page.wanted));
            let total = names.len();
            let shown = page.part_of(names.into_iter().collect());
            Ok((details(store, &kept, &shown)?, total))
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
    let application = find(&app, &name).await?;
    let serving = app.serving();
    entity_tag::document(
        &asked.headers,
        &ApplicationDocument::new(&name, &application, &serving.snapshot),
    )
}

/// What is known of an application, which must be known.
pub(super) async fn find(app: &App, name: &str) -> Result<Application, Error> {
    let kept = known_applications::all(&app.serving().access.tables.settings)?;
    let wanted = name.to_owned();
    let mut known = app
        .read(move |store| match names(store, &kept)?.contains(&wanted) {
            true => details(store, &kept, &[wanted]),
            false => Ok(BTreeMap::new()),
        })
        .await?;
    known
        .remove(name)
        .ok_or_else(|| Error::NotFound(format!("Could not find appName={name}")))
}

/// Says something of an application, which need not have been heard of.
pub(crate) async fn say(
    who: Caller,
    app: Data<App>,
    ApplicationPath { application: name }: ApplicationPath,
    Body(form): Body<ApplicationForm>,
) -> Result<HttpResponse, ApiError> {
    app.edit(&who.actor, move |tx| application_words::say(tx, &name, &form))
        .await?;
    Ok(HttpResponse::Accepted().finish())
}

/// Forgets an application; one that is not known is forgotten already.
pub(crate) async fn forget(
    who: Caller,
    app: Data<App>,
    ApplicationPath { application: name }: ApplicationPath,
) -> Result<HttpResponse, ApiError> {
    let kept = known_applications::all(&app.serving().access.tables.settings)?;
    let asked = app.read(move |store| Ok((heard(store)?, names(store, &kept)?)));
    let (heard, known) = asked.await?;
    if known.contains(&name) {
        app.edit(&who.actor, move |tx| {
            application_words::forget(tx, &name, |name| heard.contains(name))
        })
        .await?;
    }
    Ok(HttpResponse::Ok().finish())
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
