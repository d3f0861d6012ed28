//! Several servers on one database.

use serde_json::{Value, json};
use time::Duration;
use vexil_service::Limits;
use vexil_service::operations::change_requests::apply_due;
use vexil_store::EventFilter;

use super::scratch::Database;
use crate::support::{Answer, START, TestServer};

const FLAGS: &str = "/api/admin/projects/default/features";
const REQUESTS: &str = "/api/admin/projects/default/change-requests";
const PROPOSE: &str = "/api/admin/projects/default/environments/development/change-requests";

fn switch_on() -> Value {
    json!({ "feature": "f", "action": "updateEnabled", "payload": { "enabled": true } })
}

async fn all_propose(servers: &[TestServer]) -> Vec<Answer> {
    let calls: Vec<_> = servers
        .iter()
        .cloned()
        .map(|server| actix_web::rt::spawn(async move { server.post(PROPOSE, switch_on()).await }))
        .collect();
    let mut answers = Vec::new();
    for call in calls {
        answers.push(call.await.unwrap());
    }
    answers
}

#[actix_web::test]
async fn eight_parallel_first_edits_make_one_change_request_with_eight_changes() {
    for database in Database::each() {
        let servers: Vec<_> = (0..8)
            .map(|_| TestServer::with(database.open(), Limits::default()))
            .collect();
        servers[0].post(FLAGS, json!({ "name": "f" })).await.ok();
        let answers = all_propose(&servers).await;
        let ids: Vec<_> = answers.iter().map(|answer| answer.ok()["id"].clone()).collect();
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        let list = servers[0].get(REQUESTS).await.ok();
        assert_eq!(list.as_array().unwrap().len(), 1);
        let request = servers[0].get(&format!("{REQUESTS}/{}", ids[0])).await.ok();
        assert_eq!(request["features"][0]["changes"].as_array().unwrap().len(), 8);
    }
}

#[actix_web::test]
async fn a_due_schedule_is_applied_once_by_two_servers_on_one_database_in_a_hundred_rounds() {
    for database in [Some(Database::sqlite()), Database::postgres()]
        .into_iter()
        .flatten()
    {
        let servers = [(); 2].map(|()| TestServer::with(database.open(), Limits::default()));
        let [first, second] = &servers;
        first.post(FLAGS, json!({ "name": "f" })).await.ok();
        for round in 1..=100_i32 {
            let start = START + Duration::hours(i64::from(round));
            servers.iter().for_each(|server| server.set_time(start));
            let change = json!({ "feature": "f", "action": "addStrategy", "payload": { "name": "default", "parameters": {}, "constraints": [] } });
            let id = first.post(PROPOSE, change).await.ok()["id"].clone();
            let due = start + Duration::minutes(1);
            let at = due
                .format(&time::format_description::well_known::Rfc3339)
                .unwrap();
            for state in [
                json!({ "state": "In review" }),
                json!({ "state": "Approved" }),
                json!({ "state": "Scheduled", "scheduledAt": at }),
            ] {
                first.put(&format!("{REQUESTS}/{id}/state"), state).await.ok();
            }
            std::thread::scope(|scope| {
                for server in &servers {
                    server.set_time(due);
                    scope.spawn(|| apply_due(server.app()).unwrap());
                }
            });
            let strategies = format!("{FLAGS}/f/environments/development/strategies");
            second.app().follow().unwrap();
            assert_eq!(
                second.get(&strategies).await.ok().as_array().unwrap().len(),
                1,
                "round {round}"
            );
            let strategy = second.get(&strategies).await.ok()[0]["id"]
                .as_str()
                .unwrap()
                .to_owned();
            second.delete(&format!("{strategies}/{strategy}")).await.ok();
            first.app().follow().unwrap();
        }
        let applied = EventFilter {
            kinds: vec!["change-request-applied".to_owned()],
            ..EventFilter::default()
        };
        assert_eq!(first.app().reader().events(&applied).unwrap().total, 100);
    }
}

#[actix_web::test]
async fn what_one_server_commits_another_takes_over() {
    for database in Database::each() {
        let [first, second] = [(); 2].map(|()| TestServer::with(database.open(), Limits::default()));
        first.post(FLAGS, json!({ "name": "f" })).await.ok();
        second.app().follow().unwrap();
        second
            .post(&format!("{FLAGS}/f/environments/development/on"), json!({}))
            .await
            .ok();
        first.post(FLAGS, json!({ "name": "g" })).await.ok();
        assert_eq!(
            first.get(&format!("{FLAGS}/f")).await.ok()["environments"][0]["enabled"],
            true
        );
        assert_eq!(
            first.app().serving().snapshot,
            first.app().reader().load().unwrap().snapshot
        );
    }
}
