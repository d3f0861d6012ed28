//! SDKs that ask for the flags with a tag: what they have stays what the document says, however tags change.

use vexil_client_api::{Features, read_delta, read_features};
use vexil_domain::{EnvironmentSnapshot, FeatureFlag, Tag};

use super::delta::DELTA;
use super::streaming::open;
use super::*;
use crate::chance::Chance;

const RED: &str = "tag=team:red";

fn red() -> Tag {
    Tag::new("team", "red")
}

/// Puts a flag with the tag, or without it.
fn put_tagged(server: &TestServer, name: &str, is_red: bool) {
    put_flag(server, name, |flag| flag.tags.extend(is_red.then(red)));
}

/// Changes a flag, where it is there.
fn change(server: &TestServer, name: &str, change: impl Fn(&mut FeatureFlag)) {
    edit(server, |tx| {
        if let Some(flag) = tx.snapshot.flags.get_mut(name) {
            change(Arc::make_mut(flag));
        }
    });
}

/// The names in the events that a stream or a delta tells.
fn hydrated(data: &Value) -> Vec<&str> {
    assert_eq!(data["events"][0]["type"], "hydration", "{data}");
    let flags = data["events"][0]["features"].as_array().unwrap().iter();
    flags.map(|flag| flag["name"].as_str().unwrap()).collect()
}

#[actix_web::test]
async fn a_stream_that_asks_for_tags_tells_when_a_flag_gets_or_loses_one() {
    let server = TestServer::new();
    put_tagged(&server, "red", true);
    put_tagged(&server, "plain", false);
    let path = format!("/api/client/streaming?{RED}");
    let mut tagged = open(&server, &path, &[("authorization", CLIENT)]).await;
    let mut all = open(&server, "/api/client/streaming", &[("authorization", CLIENT)]).await;
    let (first, _, data) = tagged.event().await;
    assert_eq!(hydrated(&data), ["red"]);
    let (everything, _, _) = all.event().await;

    change(&server, "plain", |flag| flag.tags.extend([red()]));
    let (second, _, data) = tagged.event().await;
    assert_eq!(hydrated(&data), ["plain", "red"]);
    // who comes back from before that is not taken for up to date
    let known = [("authorization", CLIENT), ("last-event-id", first.as_str())];
    let (id, _, data) = open(&server, &path, &known).await.event().await;
    assert_eq!((id, hydrated(&data)), (second, vec!["plain", "red"]));

    // what has the tag before and after is told as a change
    change(&server, "red", |flag| flag.stale = true);
    let (_, name, data) = tagged.event().await;
    assert_eq!(
        (name.as_str(), &data["events"][0]["feature"]["name"]),
        ("unleash-updated", &json!("red"))
    );
    // who asks for no tags is told of that alone
    let (next, _, data) = all.event().await;
    assert_ne!(next, everything);
    assert_eq!(data["events"].as_array().unwrap().len(), 1);
    change(&server, "plain", |flag| flag.tags.clear());
    assert_eq!(hydrated(&tagged.event().await.2), ["red"]);
}

#[actix_web::test]
async fn who_is_told_of_one_project_has_nothing_new_when_tags_change_in_another() {
    let server = TestServer::new();
    let shop = json!({ "id": "shop", "name": "Shop" });
    server.post("/api/admin/projects", shop).await.ok();
    put_tagged(&server, "red", true);
    put_flag(&server, "till", |flag| flag.project = "shop".into());
    let path = format!("{FEATURES}?project=default&namePrefix=r&{RED}");
    let known = get(&server, &path, &[]).await;
    let known = known.header("etag").unwrap();
    put_tagged(&server, "other", false);
    let state = get(&server, &path, &[]).await;
    let state = state.header("etag").unwrap();
    assert_ne!(known, state);
    for name in ["till", "other"] {
        change(&server, name, |flag| flag.tags.extend([red()]));
        let answer = get(&server, &path, &[("if-none-match", state)]).await;
        assert_eq!(answer.status, 304, "{name}");
    }
}

#[actix_web::test]
async fn what_is_asked_for_in_no_known_way_is_refused_and_named() {
    let server = TestServer::new();
    put_tagged(&server, "red", true);
    for query in ["tag[0]=team:red", "tag%5B%5D=team:red", "tag=team%3Ared", RED] {
        assert_eq!(names(&server, &format!("{FEATURES}?{query}")).await, ["red"]);
    }
    for query in [
        "project[0]=default",
        "project%5B%5D=default",
        "projects=x",
        "names[]=x",
    ] {
        assert_eq!(
            names(&server, &format!("{FEATURES}?{query}")).await,
            ["red"],
            "{query}"
        );
    }
    // a token for all projects is narrowed
    let everywhere = server.add_client_token("*:development.everywhere");
    for query in ["project[1]=elsewhere", "project=elsewhere"] {
        let headers = [("authorization", everywhere.as_str())];
        let path = format!("{FEATURES}?{query}");
        let told = server.send(Method::GET, &path, &headers, "").await.ok();
        assert_eq!(
            (&told["features"], &told["query"]["project"]),
            (&json!([]), &json!([])),
            "{query}"
        );
    }
    for (query, told) in [
        ("tag=red", "`red`"),
        ("tag=team:", "`team:`"),
        ("tag=:red", "`:red`"),
        ("tag", "``"),
        ("tag[]=red&tag=team:red", "`red`"),
        ("tag[type]=team", "`tag[type]`"),
        ("tag[=team:red", "`tag[`"),
        ("tag[0][]=team:red", "`tag[0][]`"),
        // nor the other filters in a form that would leave them out, and tell everything
        ("namePrefix[]=r", "`namePrefix[]`"),
        ("namePrefix[0]=r", "`namePrefix[0]`"),
        ("namePrefix[a]=r", "`namePrefix[a]`"),
        ("project[a]=default", "`project[a]`"),
        ("project[=default", "`project[`"),
        ("project[][]=default", "`project[][]`"),
    ] {
        for path in [FEATURES, DELTA, "/api/client/streaming"] {
            let headers = [("accept", "text/event-stream")];
            let refusal = get(&server, &format!("{path}?{query}"), &headers).await;
            let refusal = refusal
                .refused(StatusCode::BAD_REQUEST, "BadDataError")
                .to_string();
            assert!(refusal.contains(told), "{path}?{query}: {refusal}");
        }
    }
}

/// An SDK that reads changes, now and then.
#[derive(Default)]
struct Sdk {
    snapshot: EnvironmentSnapshot,
    known: String,
}

impl Sdk {
    async fn ask(&mut self, server: &TestServer, query: &str) {
        let known = self.known.clone();
        let mut headers = vec![];
        if !known.is_empty() {
            headers.push(("if-none-match", known.as_str()));
        }
        let answer = get(server, &format!("{DELTA}?{query}"), &headers).await;
        self.known = answer.header("etag").unwrap().to_owned();
        if answer.status != 304 {
            let delta = read_delta(answer.text.as_bytes()).unwrap();
            delta.apply(&mut self.snapshot);
        }
    }
}

fn some_edit(server: &TestServer, chance: &mut Chance) {
    let name = *chance.pick(&["a", "b", "c", "d"]);
    match chance.below(8) {
        0 | 1 => change(server, name, |flag| flag.tags.extend([red()])),
        2 => change(server, name, |flag| flag.tags.clear()),
        3 => change(server, name, |flag| {
            flag.archived_at = Some(crate::support::START)
        }),
        4 => change(server, name, |flag| flag.archived_at = None),
        5 => edit(server, |tx| drop(tx.snapshot.flags.remove(name))),
        6 => change(server, name, |flag| flag.stale = !flag.stale),
        _ => {
            let is_red = chance.one_in(2);
            put_tagged(server, name, is_red);
        }
    }
}

#[actix_web::test]
async fn changes_lead_to_the_document_of_the_tag_whatever_was_missed() {
    for seed in 0..20 {
        let mut chance = Chance::new(seed);
        let server = TestServer::new();
        let mut clients: [Sdk; 3] = Default::default();
        for step in 0..30 {
            some_edit(&server, &mut chance);
            let headers = [("unleash-client-spec", "5.2.0")];
            let document = get(&server, &format!("{FEATURES}?{RED}"), &headers).await;
            let Features { snapshot, .. } = read_features(document.text.as_bytes()).unwrap();
            for client in &mut clients {
                if chance.one_in(2) {
                    client.ask(&server, RED).await;
                    assert_eq!(client.snapshot, snapshot, "seed {seed}, step {step}");
                }
            }
        }
    }
}
