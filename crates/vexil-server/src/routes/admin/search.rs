//! Finding flags.

use std::collections::BTreeMap;

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::json;
use vexil_admin_api::flag_document::children;
use vexil_admin_api::flag_list::{DependencyType, FlagListItem, FoundFlag, ListedCounts, ListedUsage};
use vexil_admin_api::tag::TagDocument;
use vexil_client_api::json::Problem;
use vexil_domain::{EnvironmentName, FeatureFlag, FlagName, Snapshot};
use vexil_metrics::{Width, last_hour, last_hour_start};
use vexil_service::App;
use vexil_service::operations::Error;
use vexil_service::operations::flag_search::{
    FlagQuery, LastSeen, OpenRequests, STAGES, SortBy, Stage, Switch, by_flag, lifecycle_of, search,
    segments_of,
};
use vexil_service::operations::segments::open_filter;
use vexil_store::{Applications, UsageQuery};

use super::environments_of;
use super::flags::last_seen;
use super::query::Parameters;
use crate::routes::ApiError;
use crate::routes::asked::Asked;
use crate::routes::auth::Caller;

/// The parameter that lists switches, in the two spellings that clients have.
const STATUS: [&str; 2] = ["status[]", "status"];

/// Flags that match a query such as `query=check&project=IS:shop&state=IS:stale`.
pub(crate) async fn find(who: Caller, asked: Asked, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let favorites = who.user.as_ref().map(|user| user.favorites.flags.clone());
    let query = FlagQuery {
        favorites: favorites.unwrap_or_default(),
        ..read_query(&asked.query).map_err(Error::from)?
    };
    let told = app.read(|store| {
        let reported = store.last_seen(None)?;
        Ok((reported, store.change_requests(&open_filter())?.items))
    });
    let (reported, open) = told.await?;
    let told = Told {
        last_seen: last_seen(reported),
        open: by_flag(&open),
        counts: BTreeMap::new(),
    };
    let serving = app.serving();
    let found = search(&serving.snapshot, &told.last_seen, &query, |_| true);
    let counts = counts(&app, found.flags.iter().map(|flag| flag.name.clone()).collect()).await?;
    let told = Told { counts, ..told };
    let flags = found.flags.iter();
    let flags: Vec<_> = flags
        .map(|flag| document(&serving.snapshot, flag, query.is_favorite(flag), &told))
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "features": flags, "total": found.total })))
}

fn read_query(query: &str) -> Result<FlagQuery, Vec<Problem>> {
    let mut given = Parameters::read(query);
    let texts = given.one("query").unwrap_or_default();
    let texts = texts
        .split(',')
        .map(|text| text.trim().to_lowercase())
        .filter(|text| !text.is_empty());
    let orders = [("asc", false), ("desc", true)];
    let lifecycle = given.one_of("lifecycle");
    let is_archived = |stage: &String| stage == Stage::Archived.name();
    let asked = FlagQuery {
        texts: texts.collect(),
        project: given.one_of("project"),
        kind: given.one_of("type"),
        state: given.one_of("state"),
        segment: given.listed("segment"),
        tag: given.listed("tag"),
        created_by: given.one_of("createdBy"),
        created_at: given.day("createdAt"),
        last_seen_at: given.day("lastSeenAt"),
        status: switches(&mut given),
        // only these ask for archived flags at all
        archived: given.truth("archived").unwrap_or_else(|| {
            let stages = lifecycle.as_ref().filter(|stages| !stages.negated);
            stages.is_some_and(|stages| stages.values.iter().all(is_archived))
        }),
        favorite: favorite(&mut given),
        favorites_first: given
            .word("favoritesFirst", &[("true", true), ("false", false)])
            .unwrap_or_default(),
        sort_by: sort_by(&mut given),
        descending: given.word("sortOrder", &orders).unwrap_or_default(),
        offset: usize::try_from(given.offset()).unwrap_or(usize::MAX),
        limit: usize::from(given.limit()),
        lifecycle,
        ..FlagQuery::default()
    };
    for stage in asked.lifecycle.iter().flat_map(|stages| &stages.values) {
        if !STAGES.contains(&stage.as_str()) {
            given.refuse(
                "lifecycle",
                &format!("must name stages: {}", STAGES.join(", ")),
                stage,
            );
        }
    }
    for state in asked.state.iter().flat_map(|states| &states.values) {
        if !matches!(state.as_str(), "active" | "stale" | "potentially-stale") {
            given.refuse("state", "must be active, stale or potentially-stale", state);
        }
    }
    given.finish(asked)
}

fn favorite(given: &mut Parameters) -> Option<bool> {
    let wanted = given.any_of("favorite");
    for other in wanted
        .iter()
        .filter(|it| !matches!(it.as_str(), "true" | "false"))
    {
        given.refuse("favorite", "must be true or false", other);
    }
    match wanted.as_slice() {
        [one] => Some(one == "true"),
        _ => None,
    }
}

fn sort_by(given: &mut Parameters) -> SortBy {
    let text = given.one("sortBy").unwrap_or_default();
    match text.as_str() {
        "" | "createdAt" => SortBy::CreatedAt,
        "name" => SortBy::Name,
        "type" => SortBy::Kind,
        "project" => SortBy::Project,
        "lastSeenAt" => SortBy::LastSeenAt,
        "stale" => SortBy::Stale,
        other => match other.strip_prefix("environment:") {
            Some(name) if !name.is_empty() => SortBy::Environment(name.into()),
            _ => {
                let known =
                    "must be one of: createdAt, name, type, project, lastSeenAt, stale, environment:NAME";
                given.refuse("sortBy", known, other);
                SortBy::CreatedAt
            }
        },
    }
}

fn switches(given: &mut Parameters) -> Vec<Switch> {
    let texts: Vec<String> = STATUS.into_iter().flat_map(|name| given.all(name)).collect();
    let mut switches = Vec::new();
    for text in texts {
        let (environment, status) = text.rsplit_once(':').unwrap_or_default();
        match status {
            "enabled" | "disabled" if !environment.is_empty() => switches.push(Switch {
                environment: environment.into(),
                enabled: status == "enabled",
            }),
            _ => given.refuse(
                "status",
                "must be like production:enabled or production:disabled",
                &text,
            ),
        }
    }
    switches
}

/// What there is to tell of flags beside what they say of themselves.
struct Told<'a> {
    last_seen: LastSeen,
    open: OpenRequests<'a>,
    counts: Counts,
}

/// How often flags were on and off in the last hour, by environment.
type Counts = BTreeMap<FlagName, BTreeMap<EnvironmentName, ListedCounts>>;

async fn counts(app: &App, flags: Vec<FlagName>) -> Result<Counts, Error> {
    let now = app.now();
    app.read(move |store| {
        let wanted = UsageQuery {
            flags,
            width: Width::Minute,
            since: last_hour_start(now),
            applications: Applications::Together,
        };
        let mut counts = Counts::new();
        for (flag, rows) in store.usage(&wanted)?.by_flag() {
            let by_environment = last_hour(now, &rows).into_iter().map(|usage| {
                let (yes, no) = (usage.counts.yes.get(), usage.counts.no.get());
                (usage.environment, ListedCounts { yes, no })
            });
            counts.insert(flag, by_environment.collect());
        }
        Ok(counts)
    })
    .await
}

fn document<'a>(
    snapshot: &'a Snapshot,
    flag: &'a FeatureFlag,
    favorite: bool,
    told: &Told<'_>,
) -> FoundFlag<'a> {
    let project = snapshot.projects.get(&flag.project);
    let environments = project
        .map(|project| environments_of(snapshot, project))
        .unwrap_or_default();
    let seen = told.last_seen.get(&flag.name);
    let counts = told.counts.get(&flag.name);
    let item = FlagListItem::of(flag, &environments, favorite, |environment| {
        let ids = told.open.get(&(&flag.name, environment));
        ListedUsage {
            last_seen: seen.and_then(|seen| seen.get(environment)).copied(),
            counts: Some(
                counts
                    .and_then(|it| it.get(environment))
                    .copied()
                    .unwrap_or_default(),
            ),
            change_requests: Some(ids.into_iter().flatten().copied().collect()),
        }
    });
    let dependency_type = if !flag.dependencies.is_empty() {
        Some(DependencyType::Child)
    } else {
        children(snapshot, &flag.name)
            .next()
            .map(|_| DependencyType::Parent)
    };
    let segments = segments_of(snapshot, flag)
        .into_iter()
        .map(|segment| segment.name.as_str())
        .collect();
    let lifecycle = lifecycle_of(snapshot, &told.last_seen, flag);
    let tags = flag.tags.iter().map(|tag| {
        let kind = snapshot.tag_types.get(&tag.kind);
        TagDocument::of(tag).colored(kind.map(AsRef::as_ref))
    });
    FoundFlag::of(flag, item, dependency_type, segments, tags.collect(), lifecycle)
}
