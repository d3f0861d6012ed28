//! Finding flags.

use std::collections::HashMap;

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde_json::json;
use vexil_admin_api::flag_document::children;
use vexil_admin_api::flag_list::{DependencyType, FlagListItem, FoundFlag, ListedUsage};
use vexil_domain::{FeatureFlag, Snapshot};
use vexil_store::Reported;

use super::environments_of;
use super::flags::{LastSeen, last_seen};
use super::query::{Parameters, read_limit, read_offset, wanted};
use crate::app::App;
use crate::operations::flag_search::{FlagQuery, OpenRequests, SortBy, by_flag, search, segments_of};
use crate::operations::segments::open_filter;
use crate::routes::ApiError;

/// Flags that match a query such as `query=check&project=IS:shop&state=IS:stale`.
pub(crate) async fn find(app: Data<App>, query: Parameters) -> Result<HttpResponse, ApiError> {
    let query = read_query(&query);
    let told = app.read(|store| {
        let reported = store.reported_by(&Reported::Everything)?;
        Ok((reported, store.change_requests(&open_filter())?.items))
    });
    let (reported, open) = told.await?;
    let last_seen = last_seen(reported);
    let serving = app.serving();
    let open = by_flag(&open);
    let found = search(&serving.snapshot, &query);
    let flags: Vec<FoundFlag<'_>> = found
        .flags
        .iter()
        .map(|flag| document(&serving.snapshot, flag, &last_seen, &open))
        .collect();
    Ok(HttpResponse::Ok().json(json!({ "features": flags, "total": found.total })))
}

fn read_query(query: &HashMap<String, String>) -> FlagQuery {
    let sort_by = match query.get("sortBy").map(String::as_str) {
        Some("name") => SortBy::Name,
        Some("type") => SortBy::Kind,
        Some("project") => SortBy::Project,
        _ => SortBy::CreatedAt,
    };
    let texts = query.get("query").map(String::as_str).unwrap_or_default();
    let texts = texts
        .split(',')
        .map(|text| text.trim().to_lowercase())
        .filter(|text| !text.is_empty());
    let archived = wanted(query, "archived");
    FlagQuery {
        texts: texts.collect(),
        project: wanted(query, "project"),
        kind: wanted(query, "type"),
        state: wanted(query, "state"),
        segment: wanted(query, "segment"),
        created_by: wanted(query, "createdBy"),
        archived: archived.values.iter().any(|value| value == "true") != archived.negated,
        sort_by,
        descending: query.get("sortOrder").is_some_and(|order| order == "desc"),
        offset: usize::try_from(read_offset(query)).unwrap_or(usize::MAX),
        limit: usize::from(read_limit(query)),
    }
}

fn document<'a>(
    snapshot: &'a Snapshot,
    flag: &'a FeatureFlag,
    last_seen: &LastSeen,
    open: &OpenRequests<'_>,
) -> FoundFlag<'a> {
    let project = snapshot.projects.get(&flag.project);
    let environments = project
        .map(|project| environments_of(snapshot, project))
        .unwrap_or_default();
    let item = FlagListItem::of(flag, &environments, |environment| {
        let ids = open.get(&(&flag.name, environment));
        ListedUsage {
            last_seen: last_seen
                .get(&flag.name)
                .and_then(|seen| seen.get(environment))
                .copied(),
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
    FoundFlag::of(flag, item, dependency_type, segments)
}
