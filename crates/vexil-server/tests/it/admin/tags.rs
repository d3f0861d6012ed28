//! Tags of flags and their types, and who asks for flags with a tag.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{FEATURES, event_types, places, server_with};
use crate::support::{Answer, CLIENT, TestServer};
use crate::users::{Person, grant, person};

const TAGS: &str = "/api/admin/tags";
const TYPES: &str = "/api/admin/tag-types";
const CHECKOUT: &str = "/api/admin/features/checkout/tags";

fn tag(kind: &str, value: &str) -> Value {
    json!({ "type": kind, "value": value })
}

/// The tags in an answer, as `type:value`.
fn texts(answer: &Value) -> Vec<String> {
    let tags = answer["tags"].as_array().unwrap().iter();
    tags.map(|tag| {
        format!(
            "{}:{}",
            tag["type"].as_str().unwrap(),
            tag["value"].as_str().unwrap()
        )
    })
    .collect()
}

async fn with_team(flag: &str) -> TestServer {
    let server = server_with(flag).await;
    let team = json!({ "name": "team", "description": "whose it is", "color": "#00ff00" });
    server.post(TYPES, team).await.ok();
    server
}

#[actix_web::test]
async fn tag_types_are_made_changed_and_removed_with_their_tags() {
    let server = with_team("checkout").await;
    server.post(CHECKOUT, tag("team", "blue")).await.ok();
    server.post(CHECKOUT, tag("simple", "kept")).await.ok();
    let types = server.get(TYPES).await.ok();
    let names: Vec<&str> = types["tagTypes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["simple", "team"]);
    let path = format!("{TYPES}/team");
    server.put(&path, json!({ "icon": "T" })).await.ok();
    let told = server.get(&path).await.ok();
    let expected = json!({ "name": "team", "description": "whose it is", "icon": "T", "color": "#00ff00" });
    assert_eq!(told["tagType"], expected);
    server.delete(&path).await.ok();
    assert_eq!(texts(&server.get(CHECKOUT).await.ok()), ["simple:kept"]);
    assert_eq!(texts(&server.get(TAGS).await.ok()), ["simple:kept"]);
    for missing in [
        server.get(&path).await,
        server.put(&path, json!({})).await,
        server.delete(&path).await,
    ] {
        missing.refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
    let events = event_types(&server).await;
    let of_tags: Vec<&str> = events
        .iter()
        .map(String::as_str)
        .filter(|kind| kind.contains("tag"))
        .collect();
    let expected = [
        "tag-type-created",
        "tag-type-created",
        "tag-created",
        "feature-tagged",
        "tag-created",
        "feature-tagged",
        "tag-type-updated",
        "tag-type-deleted",
        "feature-untagged",
    ];
    assert_eq!(of_tags, expected);
}

#[actix_web::test]
async fn what_is_wrong_with_a_tag_or_its_type_is_told() {
    let server = with_team("checkout").await;
    for (body, wrong) in [
        (json!({}), "/body/name"),
        (json!({ "name": "a b" }), "/body/name"),
        (json!({ "name": "x" }), "/body/name"),
        (json!({ "name": "x".repeat(51) }), "/body/name"),
        (json!({ "name": "ok", "color": "red" }), "/body/color"),
        (json!({ "name": "ok", "colour": "#ffffff" }), "/body/colour"),
    ] {
        for path in [TYPES.to_owned(), format!("{TYPES}/validate")] {
            let refusal = server.post(&path, body.clone()).await;
            let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
            assert_eq!(places(&refusal), [wrong], "{body}");
        }
    }
    for (body, wrong) in [
        (json!({ "type": "team" }), "/body/value"),
        (tag("team", "a"), "/body/value"),
        (tag("team", "   a   "), "/body/value"),
        (tag("", "blue"), "/body/type"),
        (json!({ "type": "team", "value": null }), "/body/value"),
        (
            json!({ "type": "team", "value": "blue", "flag": "x" }),
            "/body/flag",
        ),
    ] {
        for path in [TAGS, CHECKOUT] {
            let refusal = server.post(path, body.clone()).await;
            let refusal = refusal.refused(StatusCode::BAD_REQUEST, "BadDataError");
            assert_eq!(places(&refusal), [wrong], "{body}");
        }
    }
    let unknown = tag("nope", "blue");
    let of_new = json!({ "name": "other", "tags": [unknown] });
    for answer in [
        server.post(TAGS, unknown.clone()).await,
        server.post(CHECKOUT, unknown.clone()).await,
        server.post(FEATURES, of_new).await,
    ] {
        answer.refused(StatusCode::BAD_REQUEST, "BadDataError");
    }
    server.post(TAGS, tag("team", "blue")).await.ok();
    for answer in [
        server.post(TAGS, tag("team", "blue")).await,
        server.post(TYPES, json!({ "name": "team" })).await,
        server
            .post(&format!("{TYPES}/validate"), json!({ "name": "team" }))
            .await,
    ] {
        answer.refused(StatusCode::CONFLICT, "NameExistsError");
    }
    for path in [
        format!("{TAGS}/team/none"),
        format!("{CHECKOUT}/team/blue"),
        "/api/admin/features/none/tags/team/blue".to_owned(),
    ] {
        server
            .delete(&path)
            .await
            .refused(StatusCode::NOT_FOUND, "NotFoundError");
    }
}

#[actix_web::test]
async fn tags_are_put_on_flags_and_taken_off() {
    let server = with_team("checkout").await;
    let born = json!({ "name": "banner", "tags": [tag("team", "red")] });
    server.post(FEATURES, born).await.ok();
    let odd = " two words, x:y/ü ";
    server.post(CHECKOUT, tag("simple", odd)).await.ok();
    server.post(CHECKOUT, tag("team", "blue")).await.ok();
    // once more does no harm
    server.post(CHECKOUT, tag("team", "blue")).await.ok();
    let shown = server.get(CHECKOUT).await.ok();
    assert_eq!(texts(&shown), ["simple:two words, x:y/ü", "team:blue"]);
    assert_eq!(shown["tags"][1]["color"], "#00ff00");
    let path = format!("{CHECKOUT}/simple/two%20words%2C%20x%3Ay%2F%C3%BC");
    server.delete(&path).await.ok();
    let mut changes = json!({ "addedTags": [tag("team", "red")], "removedTags": [tag("team", "blue"), tag("team", "red")] });
    server
        .put(CHECKOUT, changes.clone())
        .await
        .refused(StatusCode::BAD_REQUEST, "BadDataError");
    changes["removedTags"] = json!([tag("team", "blue")]);
    assert_eq!(texts(&server.put(CHECKOUT, changes).await.ok()), ["team:red"]);
    let both = json!({ "features": ["checkout", "banner"], "tags": { "addedTags": [tag("simple", "both")], "removedTags": [] } });
    let project = "/api/admin/projects/default/tags";
    server.put(project, both.clone()).await.ok();
    for flag in ["checkout", "banner"] {
        let path = format!("/api/admin/features/{flag}/tags");
        assert_eq!(texts(&server.get(&path).await.ok()), ["simple:both", "team:red"]);
    }
    // all of them, or none
    let mut one_missing = both;
    one_missing["features"] = json!(["checkout", "none"]);
    one_missing["tags"] = json!({ "addedTags": [], "removedTags": [tag("simple", "both")] });
    server
        .put(project, one_missing)
        .await
        .refused(StatusCode::NOT_FOUND, "NotFoundError");
    let found = server
        .get("/api/admin/search/features?tag=INCLUDE:team:red")
        .await
        .ok();
    assert_eq!(found["total"], 2);
    assert_eq!(
        found["features"][0]["tags"],
        json!([{ "type": "simple", "value": "both", "color": "#FFFFFF" }, { "type": "team", "value": "red", "color": "#00ff00" }])
    );
    let found = server
        .get("/api/admin/search/features?tag=DO_NOT_INCLUDE:team:red")
        .await
        .ok();
    assert_eq!(found["total"], 0);
    // a clone begins without tags, and a removed flag takes its own along
    let like = json!({ "name": "like", "replaceGroupId": true });
    server
        .post(&format!("{FEATURES}/checkout/clone"), like)
        .await
        .ok();
    assert_eq!(
        texts(&server.get("/api/admin/features/like/tags").await.ok()),
        Vec::<String>::new()
    );
    server.delete(&format!("{TAGS}/simple/both")).await.ok();
    assert_eq!(texts(&server.get(CHECKOUT).await.ok()), ["team:red"]);
}

/// What an SDK that asks for tags is told, with the state that it has.
async fn tagged(server: &TestServer, query: &str, known: Option<&str>) -> Answer {
    let path = format!("/api/client/features?{query}");
    let mut headers = vec![("authorization", CLIENT)];
    headers.extend(known.map(|tag| ("if-none-match", tag)));
    server.send(Method::GET, &path, &headers, "").await
}

fn names(answer: &Answer) -> Vec<String> {
    let features = answer.ok()["features"].clone();
    let features = features.as_array().unwrap().iter();
    features
        .map(|flag| flag["name"].as_str().unwrap().to_owned())
        .collect()
}

#[actix_web::test]
async fn an_sdk_that_asks_for_tags_is_told_of_flags_with_one_of_them_and_of_every_change() {
    let server = with_team("checkout").await;
    for (flag, value) in [("banner", "blue"), ("footer", "red"), ("header", "green")] {
        let body = json!({ "name": flag, "tags": [tag("team", value)] });
        server.post(FEATURES, body).await.ok();
    }
    let all = tagged(&server, "", None).await;
    assert_eq!(names(&all).len(), 4);
    let query = "tag[]=team:red&tag=team:blue";
    let first = tagged(&server, query, None).await;
    assert_eq!(names(&first), ["banner", "footer"]);
    assert_eq!(
        first.ok()["query"]["tag"],
        json!([["team", "blue"], ["team", "red"]])
    );
    let known = first.header("etag").unwrap();
    assert_eq!(tagged(&server, query, Some(known)).await.status, 304);
    server.post(CHECKOUT, tag("team", "blue")).await.ok();
    let second = tagged(&server, query, Some(known)).await;
    assert_eq!(names(&second), ["banner", "checkout", "footer"]);
    // who does not ask for tags has nothing new
    assert_eq!(tagged(&server, "", all.header("etag")).await.status, 304);
    server
        .delete("/api/admin/features/banner/tags/team/blue")
        .await
        .ok();
    assert_eq!(
        names(&tagged(&server, query, second.header("etag")).await),
        ["checkout", "footer"]
    );
    let delta = server
        .call(CLIENT, Method::GET, "/api/client/delta?tag=team:red", None)
        .await
        .ok();
    let told = &delta["events"][0]["features"];
    assert_eq!(
        (told.as_array().unwrap().len(), &told[0]["name"]),
        (1, &json!("footer"))
    );
}

#[actix_web::test]
async fn nobody_changes_the_tags_of_flags_that_they_may_not_change() {
    let server = with_team("checkout").await;
    let shop = json!({ "id": "shop", "name": "Shop" });
    server.post("/api/admin/projects", shop).await.ok();
    server
        .post("/api/admin/projects/shop/features", json!({ "name": "till" }))
        .await
        .ok();
    server
        .post("/api/admin/features/till/tags", tag("team", "blue"))
        .await
        .ok();
    let ada = person(&server, "ada", "Viewer").await;
    grant(&server, &ada, &[("UPDATE_FEATURE", None)]).await;
    let call = async |who: &Person, method: Method, path: &str, body: Value| {
        server.call(&who.token, method, path, Some(&body)).await
    };
    let own = call(&ada, Method::POST, CHECKOUT, tag("team", "blue")).await;
    own.ok();
    let theirs = "/api/admin/features/till/tags";
    let both = json!({ "features": ["checkout", "till"], "tags": { "addedTags": [], "removedTags": [] } });
    for (method, path, body) in [
        (Method::POST, theirs, tag("team", "red")),
        (
            Method::PUT,
            theirs,
            json!({ "addedTags": [], "removedTags": [tag("team", "blue")] }),
        ),
        (
            Method::DELETE,
            "/api/admin/features/till/tags/team/blue",
            Value::Null,
        ),
        // the tag is on a flag of theirs too
        (Method::DELETE, "/api/admin/tags/team/blue", Value::Null),
        (Method::DELETE, "/api/admin/tag-types/team", Value::Null),
        (Method::PUT, "/api/admin/projects/shop/tags", both.clone()),
    ] {
        call(&ada, method, path, body)
            .await
            .refused(StatusCode::FORBIDDEN, "PermissionError");
    }
    let other_project = call(&ada, Method::PUT, "/api/admin/projects/default/tags", both).await;
    other_project.refused(StatusCode::NOT_FOUND, "NotFoundError");
    assert_eq!(texts(&server.get(theirs).await.ok()), ["team:blue"]);
    // an Editor looks at a protected project
    let ed = person(&server, "ed", "Editor").await;
    server
        .put(
            "/api/admin/projects/shop/settings",
            json!({ "mode": "protected" }),
        )
        .await
        .ok();
    call(&ed, Method::DELETE, "/api/admin/tag-types/team", Value::Null)
        .await
        .refused(StatusCode::FORBIDDEN, "PermissionError");
    assert_eq!(texts(&server.get(theirs).await.ok()), ["team:blue"]);
}
