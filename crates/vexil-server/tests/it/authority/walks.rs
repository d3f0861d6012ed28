//! Random walks of people with random rights, against what the rules promise: nothing that decides in a protected
//! environment changes unless as many people approved of that very effect as the rule asks for, none of them the
//! author; or whoever edits may skip the rule. Nobody raises their own rights, and nobody but an administrator
//! changes a rule.
//!
//! What people may do, who approved of what, and what production decides are told here anew, without the code that
//! is tested. `VEXIL_WALKS` says how many walks of ten steps are made, `VEXIL_FIRST_WALK` where to begin. After
//! each walk the server starts anew from what it stored.

mod checks;
mod effect;
mod people;
mod seen;
mod steps;

use std::collections::BTreeMap;
use std::env;
use std::sync::Arc;

use actix_web::http::Method;
use serde_json::{Value, json};
use time::Duration;
use vexil_change_request::{ChangeRequest, ChangeRequestId, Scope, State, overlay};
use vexil_domain::{ProjectId, Snapshot};

use crate::chance::Chance;
use crate::support::{AnyService, START, TestServer, ask};
use effect::{Noticed, noticed};
use people::{Walker, doors};
use seen::Seen;
use steps::{FLAGS, change, edit, proposal};

const PROJECT: &str = "/api/admin/projects/default";
/// So many walks are made with one instance.
const TOGETHER: u64 = 20;
const STEPS: usize = 10;

#[actix_web::test]
async fn nothing_changes_in_a_protected_environment_without_the_approvals_of_that_effect() {
    let read = |name| {
        env::var(name)
            .ok()
            .map(|text: String| text.parse::<u64>().unwrap())
    };
    let walks = read("VEXIL_WALKS").unwrap_or(300);
    let first = read("VEXIL_FIRST_WALK").unwrap_or(0);
    let mut seen = Seen::default();
    for seed in (first..).take(usize::try_from(walks.div_ceil(TOGETHER)).unwrap()) {
        let mut walk = Walk::new(seed).await;
        for _ in 0..TOGETHER {
            let server = walk.server.clone();
            let service = server.service().await;
            for _ in 0..STEPS {
                walk.step(&service).await;
            }
            walk.server = walk.server.another();
            walk.check_nothing("a restart");
        }
        seen.add(&walk.seen);
        if seed % 50 == 49 {
            println!("{} instances: {seen:?}", seed + 1 - first);
        }
    }
    println!("{walks} walks: {seen:?}");
    // the walks come by what they are to try
    for (what, times) in &seen.0 {
        assert!(*times > 0, "never: {what}");
    }
}

/// An approval that was taken, and the effect that it was given for.
struct Given {
    by: i64,
    noticed: Noticed,
}

struct Walk {
    seed: u64,
    chance: Chance,
    server: TestServer,
    people: Vec<Walker>,
    /// How many approvals production asks for.
    rule: Option<u32>,
    given: BTreeMap<i64, Vec<Given>>,
    requests: Vec<i64>,
    minutes: i64,
    born: usize,
    before: Arc<Snapshot>,
    seen: Seen,
    /// The last steps, to tell how it came to a fault.
    told: Vec<String>,
}

impl Walk {
    async fn new(seed: u64) -> Self {
        let mut chance = Chance::new(seed.wrapping_mul(0x0100_0001));
        let server = TestServer::new();
        let segment = json!({ "name": "pilot", "constraints": [{ "contextName": "userId", "operator": "IN", "values": ["1"] }] });
        server.post("/api/admin/segments", segment).await.ok();
        let bank = json!({ "id": "bank", "name": "Bank" });
        server.post("/api/admin/projects", bank).await.ok();
        for flag in FLAGS {
            server
                .post(&format!("{PROJECT}/features"), json!({ "name": flag }))
                .await
                .ok();
        }
        server
            .post("/api/admin/projects/bank/features", json!({ "name": "vault" }))
            .await
            .ok();
        for (project, flag) in [("default", "checkout"), ("bank", "vault")] {
            let here = format!("/api/admin/projects/{project}/features/{flag}/environments/production");
            let strategy = json!({ "name": "default", "segments": [1] });
            server.post(&format!("{here}/strategies"), strategy).await.ok();
            server.post(&format!("{here}/on"), json!({})).await.ok();
        }
        let rule = json!({ "changeRequestsEnabled": true, "requiredApprovals": 2 });
        server
            .put(
                "/api/admin/projects/bank/environments/production/change-requests/config",
                rule,
            )
            .await
            .ok();
        let mut people = Vec::new();
        for (number, role) in ["Editor", "Editor", "Editor", "Viewer", "Viewer", "Admin"]
            .into_iter()
            .enumerate()
        {
            people.push(Walker::new(&server, number, role, &mut chance).await);
        }
        let before = server.app.serving().snapshot.clone();
        let mut walk = Self {
            seed,
            chance,
            server,
            born: people.len(),
            people,
            rule: None,
            given: BTreeMap::new(),
            requests: Vec::new(),
            minutes: 0,
            before: before.into(),
            seen: Seen::default(),
            told: Vec::new(),
        };
        walk.set_rule().await;
        walk.before = walk.now();
        walk
    }

    fn now(&self) -> Arc<Snapshot> {
        self.server.app.serving().snapshot.clone().into()
    }

    async fn set_rule(&mut self) {
        let approvals = *self.chance.pick(&[1, 2, 2, 3]);
        let enabled = !self.chance.one_in(12);
        let body = json!({ "changeRequestsEnabled": enabled, "requiredApprovals": approvals });
        let path = format!("{PROJECT}/environments/production/change-requests/config");
        // the project may not use the environment at present; then nothing is set
        if self.server.put(&path, body).await.status < 300 {
            self.rule = enabled.then_some(approvals);
        }
    }

    async fn step(&mut self, service: &impl AnyService) {
        match self.chance.below(20) {
            0 => self.govern().await,
            1 => {
                self.minutes += 15;
                self.server.set_time(START + Duration::minutes(self.minutes));
                self.let_due_be_applied();
            }
            2 => self.try_a_door(service).await,
            3..9 => {
                let (method, path, body) = edit(&self.before, &mut self.chance);
                let who = self.chance.below(self.people.len());
                self.send(service, who, method, &path, &body).await;
                self.check_edit(who);
            }
            9..12 => {
                let (method, path, body) = proposal(&self.before, &mut self.chance);
                let who = self.chance.below(self.people.len());
                let answer = self.send(service, who, method, &path, &body).await;
                let id = answer.and_then(|request| request["id"].as_i64());
                self.requests.extend(id);
                self.check_nothing("a proposal");
            }
            12 => self.rework(service).await,
            _ => self.move_a_request(service).await,
        }
        self.check_rule();
        self.before = self.now();
    }

    /// Sends a request as somebody, and returns the answer of a success.
    async fn send(
        &mut self,
        service: &impl AnyService,
        who: usize,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Option<Value> {
        let token = &self.people[who].person.token;
        let headers = [
            ("authorization", token.as_str()),
            ("content-type", "application/json"),
        ];
        let answer = ask(
            service,
            method.clone(),
            path,
            &headers,
            body.to_string().into_bytes(),
        )
        .await;
        assert!(answer.status < 500, "{}", answer.text);
        self.told.push(format!(
            "{} {:?} {method} {path} {body} -> {}",
            self.people[who].person.id, self.people[who].rights, answer.status
        ));
        if answer.status >= 300 {
            self.seen.note("refused");
            return None;
        }
        Some(serde_json::from_str(&answer.text).unwrap_or_default())
    }

    /// An administrator gives other rights, lets somebody go or sets the rule.
    async fn govern(&mut self) {
        // where somebody took the environment away it is brought back, off
        let back = json!({ "environment": "production" });
        self.server.post(&format!("{PROJECT}/environments"), back).await;
        for flag in FLAGS {
            // those that are there stay as they are
            let path = format!("{PROJECT}/features");
            self.server.post(&path, json!({ "name": flag })).await;
        }
        let who = self.chance.below(self.people.len());
        match self.chance.below(4) {
            0 => self.set_rule().await,
            1 => self.people[who].promote(&self.server, &mut self.chance).await,
            2 => self.people[who].grant(&self.server, &mut self.chance).await,
            _ => {
                let path = format!("/api/admin/user-admin/{}", self.people[who].person.id);
                self.server.delete(&path).await.ok();
                self.born += 1;
                let role = *self.chance.pick(&["Editor", "Viewer"]);
                self.people[who] = Walker::new(&self.server, self.born, role, &mut self.chance).await;
            }
        }
        self.told
            .push("an administrator sets rights or the rule".to_owned());
        self.check_nothing("setting rights");
    }

    async fn try_a_door(&mut self, service: &impl AnyService) {
        let who = self.chance.below(self.people.len());
        let other = self.chance.below(self.people.len());
        if self.people[who].rights.admin || who == other {
            return;
        }
        let (method, path, body) = doors(
            self.people[who].person.id,
            self.people[other].person.id,
            &mut self.chance,
        );
        let opened = self.send(service, who, method, &path, &body).await.is_some();
        let sets_a_rule = path.ends_with("/config");
        self.assert(!opened || sets_a_rule, "somebody raised their own rights");
        if opened && self.rule.is_none() {
            // who runs a project may ask for approvals where none were asked for
            self.rule = self.rule_now();
        }
        self.check_nothing("a door");
    }

    /// A request is edited, commented on or thrown away.
    async fn rework(&mut self, service: &impl AnyService) {
        let Some(request) = self.any_request() else { return };
        let who = self.chance.below(self.people.len());
        let one = format!("{PROJECT}/change-requests/{}", request.id.0);
        let body = change(&self.before, request.environment.as_str(), &mut self.chance);
        let first = request.changes.first().map_or(0, |change| change.id.0);
        let (method, path) = match self.chance.below(4) {
            0 => (Method::DELETE, one),
            1 => (Method::DELETE, format!("{one}/changes/{first}")),
            _ => (Method::PUT, format!("{one}/changes/{first}")),
        };
        self.send(service, who, method, &path, &body).await;
        self.check_nothing("editing a request");
    }

    /// Most often somebody who may do this in production, else anybody.
    fn somebody_with(&mut self, permission: &'static str) -> usize {
        let may = |(at, walker): (usize, &Walker)| walker.rights.in_production(permission).then_some(at);
        let may: Vec<usize> = self.people.iter().enumerate().filter_map(may).collect();
        if may.is_empty() || self.chance.one_in(4) {
            return self.chance.below(self.people.len());
        }
        *self.chance.pick(&may)
    }

    fn any_request(&mut self) -> Option<ChangeRequest> {
        let id = *self.requests.get(self.chance.below(self.requests.len().max(1)))?;
        self.request(id)
    }

    fn request(&self, id: i64) -> Option<ChangeRequest> {
        self.server.store.change_request(ChangeRequestId(id)).unwrap()
    }

    async fn move_a_request(&mut self, service: &impl AnyService) {
        let Some(request) = self.any_request() else { return };
        let id = request.id.0;
        let next = match request.state {
            State::Draft => "In review",
            State::InReview => "Approved",
            State::Approved => *self.chance.pick(&["Applied", "Applied", "Scheduled"]),
            _ => *self
                .chance
                .pick(&["Applied", "Rejected", "Cancelled", "In review", "Draft"]),
        };
        let next = if self.chance.one_in(8) {
            *self.chance.pick(&[
                "Draft",
                "In review",
                "Approved",
                "Applied",
                "Rejected",
                "Cancelled",
            ])
        } else {
            next
        };
        // most often somebody who can
        let author = self
            .people
            .iter()
            .position(|walker| walker.person.id == request.created_by.id.0);
        let who = match (author, next) {
            (Some(author), "In review") => author,
            (_, "Approved") => self.somebody_with("APPROVE_CHANGE_REQUEST"),
            _ => self.somebody_with("APPLY_CHANGE_REQUEST"),
        };
        let later = START + Duration::minutes(self.minutes + 10);
        let later = later
            .format(&time::format_description::well_known::Rfc3339)
            .unwrap();
        let body = json!({ "state": next, "scheduledAt": later });
        let expected = self.expected(&request);
        let path = format!("{PROJECT}/change-requests/{id}/state");
        let answer = self.send(service, who, Method::PUT, &path, &body).await;
        if answer.is_some() && next == "Approved" {
            self.seen.note("approved");
            let by = self.people[who].person.id;
            self.given.entry(id).or_default().push(Given {
                by,
                noticed: expected,
            });
        }
        if answer.is_some() && next == "Applied" {
            self.check_applied(&request, who);
        } else {
            self.check_nothing("moving a request");
        }
    }

    /// What a request would change in production now.
    fn expected(&self, request: &ChangeRequest) -> Noticed {
        let scope = Scope {
            project: ProjectId::from("default"),
            environment: request.environment.clone(),
            request: Some(request.id),
            now: START,
        };
        let proposed = overlay(&self.before, &scope, &request.changes).proposed;
        noticed(&self.before, &proposed)
    }
}
