//! Activation strategies of a flag in an environment.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use vexil_admin_api::patch::{apply_patch, read_patch};
use vexil_admin_api::strategy::{StrategyListItem, read_new, read_places, read_update};
use vexil_change_request::{Change, NewStrategy};
use vexil_client_api::json::Node;
use vexil_domain::{
    ActivationStrategy, EnvironmentName, FeatureFlag, FlagName, ProjectId, Snapshot, StrategyId,
};

use super::done;
use super::flags::{to_document, unpatched};
use crate::app::App;
use crate::auth::Authorized;
use crate::body::JsonBody;
use crate::operations::Error;
use crate::operations::direct::{EditScope, WriteAccess, check_environment, find_live_flag};
use crate::permission::{CreateFeatureStrategy, DeleteFeatureStrategy, Read, UpdateFeatureStrategy};
use crate::routes::ApiError;
use crate::routes::Route;

pub(super) fn routes() -> Vec<Route> {
    const ALL: &str =
        "/api/admin/projects/{project}/features/{feature}/environments/{environment}/strategies";
    const PLACES: &str = "/api/admin/projects/{project}/features/{feature}/environments/{environment}/strategies/set-sort-order";
    const ONE: &str =
        "/api/admin/projects/{project}/features/{feature}/environments/{environment}/strategies/{strategy}";
    vec![
        Route::get(ALL, list),
        Route::post(ALL, add),
        Route::post(PLACES, reorder),
        Route::get(ONE, read),
        Route::put(ONE, replace),
        Route::patch(ONE, patch),
        Route::delete(ONE, remove),
    ]
}

/// A flag in an environment, as a path names it.
#[derive(Clone)]
struct StrategyPath {
    project: ProjectId,
    flag: FlagName,
    environment: EnvironmentName,
}

impl StrategyPath {
    fn of((project, flag, environment): (String, String, String)) -> Self {
        Self {
            project: project.into(),
            flag: flag.into(),
            environment: environment.into(),
        }
    }

    fn with_strategy(path: (String, String, String, String)) -> (Self, StrategyId) {
        let (project, flag, environment, strategy) = path;
        (Self::of((project, flag, environment)), strategy.into())
    }

    fn place(&self) -> EditScope {
        EditScope::in_environment(&self.project, &self.environment)
    }

    /// The flag, which must be live, and in an environment that its project uses.
    fn find<'a>(&self, snapshot: &'a Snapshot) -> Result<&'a FeatureFlag, Error> {
        let flag = find_live_flag(snapshot, self.project.as_str(), self.flag.as_str())?;
        check_environment(snapshot, &self.project, &self.environment, &self.flag)?;
        Ok(flag)
    }

    fn strategies<'a>(&self, snapshot: &'a Snapshot) -> Result<&'a [ActivationStrategy], Error> {
        let settings = self.find(snapshot)?.environments.get(&self.environment);
        Ok(settings.map_or(&[], |settings| &settings.strategies))
    }

    fn strategy<'a>(&self, snapshot: &'a Snapshot, id: &StrategyId) -> Result<&'a ActivationStrategy, Error> {
        let found = self
            .strategies(snapshot)?
            .iter()
            .find(|strategy| strategy.id == *id);
        found.ok_or_else(|| Error::NotFound(format!("Could not find strategy with id={id}")))
    }
}

async fn list(
    _who: Authorized<Read>,
    app: Data<App>,
    path: Path<(String, String, String)>,
) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let strategies = StrategyPath::of(path.into_inner()).strategies(&serving.snapshot)?;
    let items: Vec<StrategyListItem<'_>> = strategies.iter().map(StrategyListItem::of).collect();
    Ok(HttpResponse::Ok().json(items))
}

async fn add(
    who: Authorized<CreateFeatureStrategy>,
    app: Data<App>,
    path: Path<(String, String, String)>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let position = StrategyPath::of(path.into_inner());
    let new = read_new(&body.value).map_err(Error::from)?;
    let editor = WriteAccess::from(&who);
    let edited = app.edit(&who.actor, move |tx| {
        find_live_flag(&tx.snapshot, position.project.as_str(), position.flag.as_str())?;
        let id = tx.random_strategy_id();
        let new = NewStrategy {
            id: Some(id.clone()),
            ..new.clone()
        };
        editor.change_flag(tx, &position.place(), &position.flag, Change::AddStrategy(new))?;
        position.strategy(&tx.snapshot, &id).cloned()
    });
    Ok(HttpResponse::Ok().json(edited.await?))
}

async fn reorder(
    who: Authorized<UpdateFeatureStrategy>,
    app: Data<App>,
    path: Path<(String, String, String)>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let position = StrategyPath::of(path.into_inner());
    let places = read_places(&body.value).map_err(Error::from)?;
    let editor = WriteAccess::from(&who);
    let edited = app.edit(&who.actor, move |tx| {
        position.find(&tx.snapshot)?;
        let change = Change::ReorderStrategy(places.clone());
        editor.change_flag(tx, &position.place(), &position.flag, change)
    });
    edited.await?;
    Ok(done())
}

type OneStrategy = Path<(String, String, String, String)>;

async fn read(_who: Authorized<Read>, app: Data<App>, path: OneStrategy) -> Result<HttpResponse, ApiError> {
    let serving = app.serving();
    let (position, id) = StrategyPath::with_strategy(path.into_inner());
    Ok(HttpResponse::Ok().json(position.strategy(&serving.snapshot, &id)?))
}

async fn replace(
    who: Authorized<UpdateFeatureStrategy>,
    app: Data<App>,
    path: OneStrategy,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (position, id) = StrategyPath::with_strategy(path.into_inner());
    let update = read_update(id.clone(), &Node::body(&body.value)).map_err(Error::from)?;
    let editor = WriteAccess::from(&who);
    let edited = app.edit(&who.actor, move |tx| {
        position.strategy(&tx.snapshot, &id)?;
        let change = Change::UpdateStrategy(update.clone());
        editor.change_flag(tx, &position.place(), &position.flag, change)?;
        position.strategy(&tx.snapshot, &id).cloned()
    });
    Ok(HttpResponse::Ok().json(edited.await?))
}

/// Edits a strategy by a JSON Patch of its document.
async fn patch(
    who: Authorized<UpdateFeatureStrategy>,
    app: Data<App>,
    path: OneStrategy,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (position, id) = StrategyPath::with_strategy(path.into_inner());
    let patch = read_patch(&body.value).map_err(Error::from)?;
    let editor = WriteAccess::from(&who);
    let edited = app.edit(&who.actor, move |tx| {
        let document = to_document(position.strategy(&tx.snapshot, &id)?)?;
        let document = apply_patch(&document, &patch).map_err(unpatched)?;
        let update = read_update(id.clone(), &Node::root(&document, "")).map_err(Error::from)?;
        editor.change_flag(
            tx,
            &position.place(),
            &position.flag,
            Change::UpdateStrategy(update),
        )?;
        position.strategy(&tx.snapshot, &id).cloned()
    });
    Ok(HttpResponse::Ok().json(edited.await?))
}

async fn remove(
    who: Authorized<DeleteFeatureStrategy>,
    app: Data<App>,
    path: OneStrategy,
) -> Result<HttpResponse, ApiError> {
    let (position, id) = StrategyPath::with_strategy(path.into_inner());
    let editor = WriteAccess::from(&who);
    let edited = app.edit(&who.actor, move |tx| {
        position.strategy(&tx.snapshot, &id)?;
        let change = Change::DeleteStrategy { id: id.clone() };
        editor.change_flag(tx, &position.place(), &position.flag, change)
    });
    edited.await?;
    Ok(done())
}
