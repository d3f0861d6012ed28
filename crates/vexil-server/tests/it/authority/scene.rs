//! A server whose production asks for two approvals, and people with rights in one environment or the other.

use actix_web::http::Method;
use serde_json::{Value, json};
use vexil_service::operations::change_requests::apply_due;

use crate::support::{Answer, START, TestServer};
use crate::users::{Person, grant, person};

pub const PROJECT: &str = "/api/admin/projects/default";

pub struct Scene {
    pub server: TestServer,
    /// Proposes.
    pub author: Person,
    /// May approve and apply in development alone.
    pub developer: Person,
    /// May approve and apply everywhere; two of them.
    pub operators: [Person; 2],
}

impl Scene {
    /// Two approvals in production, none in development. `checkout` is on in production for segment 1, `pilot`,
    /// which belongs to nobody; `banner` is off.
    pub async fn new() -> Self {
        let server = TestServer::new();
        let both = [("APPROVE_CHANGE_REQUEST", None), ("APPLY_CHANGE_REQUEST", None)];
        let there = both.map(|(permission, _)| (permission, Some("development")));
        let (author, developer) = (
            person(&server, "author", "Editor").await,
            person(&server, "developer", "Viewer").await,
        );
        grant(&server, &developer, &there).await;
        let operators = [
            person(&server, "one", "Viewer").await,
            person(&server, "other", "Viewer").await,
        ];
        for operator in &operators {
            grant(&server, operator, &both).await;
        }
        let scene = Self {
            server,
            author,
            developer,
            operators,
        };
        scene.furnish().await;
        scene
    }

    async fn furnish(&self) {
        let pilot = json!({ "name": "pilot", "constraints": [{ "contextName": "userId", "operator": "IN", "values": ["1"] }] });
        self.server.post("/api/admin/segments", pilot).await.ok();
        for name in ["checkout", "banner"] {
            let flag = json!({ "name": name });
            self.server.post(&format!("{PROJECT}/features"), flag).await.ok();
        }
        let here = format!("{PROJECT}/features/checkout/environments/production");
        let strategy = json!({ "name": "default", "segments": [1] });
        self.server
            .post(&format!("{here}/strategies"), strategy)
            .await
            .ok();
        self.server.post(&format!("{here}/on"), json!({})).await.ok();
        self.rule("production", 2).await;
    }

    /// Sets how many approvals an environment asks for.
    pub async fn rule(&self, environment: &str, approvals: u32) {
        let path = format!("{PROJECT}/environments/{environment}/change-requests/config");
        let rule = json!({ "changeRequestsEnabled": true, "requiredApprovals": approvals });
        self.server.put(&path, rule).await.ok();
    }

    pub async fn call(&self, who: &Person, method: Method, path: &str, body: Value) -> Answer {
        self.server.call(&who.token, method, path, Some(&body)).await
    }

    /// A request by the author, in review.
    pub async fn proposed(&self, environment: &str, changes: Value) -> i64 {
        let path = format!("{PROJECT}/environments/{environment}/change-requests");
        let request = self.call(&self.author, Method::POST, &path, changes).await.ok();
        let id = request["id"].as_i64().unwrap();
        self.to(&self.author, id, "In review").await.ok();
        id
    }

    /// The same, with the approvals of both operators.
    pub async fn approved(&self, environment: &str, changes: Value) -> i64 {
        let id = self.proposed(environment, changes).await;
        for operator in &self.operators {
            if self.state(id).await == "In review" {
                self.to(operator, id, "Approved").await.ok();
            }
        }
        assert_eq!(self.state(id).await, "Approved");
        id
    }

    /// The same, scheduled in an hour by the first operator.
    pub async fn scheduled(&self, environment: &str, changes: Value) -> i64 {
        let id = self.approved(environment, changes).await;
        let body = json!({ "state": "Scheduled", "scheduledAt": "2026-11-27T13:30:20Z" });
        let path = format!("{PROJECT}/change-requests/{id}/state");
        self.call(&self.operators[0], Method::PUT, &path, body).await.ok();
        id
    }

    /// Lets the hour pass.
    pub fn wait(&self) {
        self.server.set_time(START + time::Duration::HOUR);
        apply_due(self.server.app()).unwrap();
    }

    pub async fn to(&self, who: &Person, id: i64, state: &str) -> Answer {
        let path = format!("{PROJECT}/change-requests/{id}/state");
        self.call(who, Method::PUT, &path, json!({ "state": state }))
            .await
    }

    pub async fn read(&self, id: i64) -> Value {
        self.server
            .get(&format!("{PROJECT}/change-requests/{id}"))
            .await
            .ok()
    }

    pub async fn state(&self, id: i64) -> String {
        self.read(id).await["state"].as_str().unwrap().to_owned()
    }
}

pub fn change(flag: &str, action: &str, payload: Value) -> Value {
    json!({ "feature": flag, "action": action, "payload": payload })
}

/// A segment that holds for everybody.
pub fn open_segment() -> Value {
    json!({ "action": "updateSegment", "payload": { "id": 1, "name": "pilot", "constraints": [] } })
}
