//! Whatever a path of the administration API names that is not there.

use serde_json::json;
use vexil_server::all_routes;

use super::bodies::body;
use super::world::World;
use crate::chance::Chance;

/// What nothing is called, and no number of anything.
const MISSING: &str = "987654";

/// What is gone already is removed: 200.
const GONE: [&str; 6] = [
    "DELETE /api/admin/metrics/applications/{application} without its application",
    "DELETE /api/admin/context/{field}/legal-values/{value} without its value",
    "DELETE /api/admin/user/tokens/{id} without its id",
    "DELETE /api/admin/projects/{project}/environments/{environment} without its environment",
    "DELETE /api/admin/archive/{feature} without its feature",
    "DELETE /api/admin/api-tokens/{token} without its token",
];

/// What happened to it, or was reported or proposed under its name, is asked for, and may be told of what is gone or was never there:
/// 200.
const EMPTY: [&str; 7] = [
    "GET /api/admin/context/{field}/strategies without its field",
    "GET /api/admin/projects/{project}/context/{field}/strategies without its field",
    "GET /api/admin/segments/strategies/{strategy} without its strategy",
    "GET /api/admin/api-tokens/{token} without its token",
    "GET /api/admin/events/{feature} without its feature",
    "GET /api/admin/projects/{project}/change-requests/pending/{feature} without its feature",
    "GET /api/admin/client-metrics/features/{name}/raw without its name",
];

/// What somebody has seen, or says of an application, is noted under any name: 200, or 202.
const NOTED: [&str; 3] = [
    "POST /api/admin/metrics/applications/{application} without its application",
    "POST /api/admin/splash/{notice} without its notice",
    "PUT /api/admin/feedback/{notice} without its notice",
];

/// What is to be done with it is wrong in itself: 400, and 403 where what is named besides belongs elsewhere or to somebody else.
const OTHERWISE: [&str; 10] = [
    "PUT /api/admin/projects/{project}/users/{id}/roles without its id",
    "DELETE /api/admin/projects/{project}/users/{id}/roles without its id",
    "PUT /api/admin/projects/{project}/groups/{group}/roles without its group",
    "DELETE /api/admin/projects/{project}/groups/{group}/roles without its group",
    "POST /api/admin/projects/{project}/features/{feature}/environments/{environment}/strategies without its environment",
    "POST /api/admin/projects/{project}/stale without its project",
    "POST /api/admin/projects/{project}/archive without its project",
    "POST /api/admin/projects/{project}/delete without its project",
    "PUT /api/admin/projects/{project}/change-requests/{id}/changes/{change} without its change",
    "DELETE /api/admin/projects/{project}/change-requests/{id}/changes/{change} without its change",
];

#[actix_web::test]
async fn what_a_path_names_and_is_not_there_is_404_but_where_it_is_said() {
    let world = World::new(1).await;
    let chance = &mut Chance::new(1);
    let (mut asked, mut others) = (0, Vec::new());
    for route in all_routes()
        .iter()
        .filter(|route| route.path.starts_with("/api/admin/"))
    {
        for missing in route.parameters() {
            let path = world.path_without(route, missing, MISSING);
            let what = format!("{} {}", route.method, route.path);
            let body = body(&what, &world, chance).unwrap_or_else(|| json!({}));
            let answer = world
                .server
                .call(&world.callers[3], route.method.clone(), &path, Some(&body))
                .await;
            asked += 1;
            if answer.status != 404 || answer.json()["name"] != "NotFoundError" {
                others.push((format!("{what} without its {missing}"), answer.status));
            }
        }
    }
    assert!(asked > 150, "{asked}");
    let told = |places: &[&str], statuses: &[u16]| {
        let place = |place: &&str| ((*place).to_owned(), statuses.to_vec());
        places.iter().map(place).collect::<Vec<_>>()
    };
    let mut known = told(&GONE, &[200]);
    known.extend(told(&EMPTY, &[200]));
    known.extend(told(&NOTED, &[200, 202]));
    known.extend(told(&OTHERWISE, &[400, 403]));
    let wrong: Vec<_> = others
        .iter()
        .filter(|(place, status)| {
            !known
                .iter()
                .any(|(known, of)| known == place && of.contains(status))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let stale: Vec<_> = known
        .iter()
        .filter(|(place, _)| !others.iter().any(|(found, _)| found == place))
        .collect();
    assert!(stale.is_empty(), "these are 404: {stale:?}");
}
