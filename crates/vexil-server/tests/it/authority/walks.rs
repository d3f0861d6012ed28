//! Random walks of people with random rights, against what the rules promise: nothing that decides in a protected
//! environment changes unless as many people approved of that very effect as the rule asks for, none of them the
//! author; or whoever edits may skip the rule. Nobody raises their own rights, nobody but an administrator changes
//! a rule, and nobody changes a project that is not theirs, whether they come with a session, a personal token or a
//! second one, and whether they have their rights by name, by a role or by a group.
//!
//! What people may do, who approved of what, and what production decides are told here anew, without the code that
//! is tested. `VEXIL_WALKS` says how many walks of ten steps are made, `VEXIL_FIRST_WALK` where to begin. Now
//! and then the server starts anew from what it stored.

mod checks;
mod desk;
mod doors;
mod effect;
mod governing;
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
use desk::{post, put};
use effect::{Noticed, noticed};
use people::{Office, Shown, Walker};
use seen::Seen;
use steps::{FLAGS, change, edit, proposal};

const PROJECT: &str = "/api/admin/projects/default";
/// So many walks are made with one instance.
const TOGETHER: u64 = 20;
/// After so many, the server starts anew.
const ANEW: u64 = 5;
const STEPS: u64 = 10;

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
        for _ in 0..TOGETHER / ANEW {
            // a server that has started anew
            let server = walk.server.another();
            walk.server = server.clone();
            walk.check_nothing("a restart");
            let service = server.service().await;
            for _ in 0..ANEW * STEPS {
                walk.step(&service).await;
            }
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
    office: Office,
    /// How many approvals production asks for.
    rule: Option<u32>,
    given: BTreeMap<i64, Vec<Given>>,
    requests: Vec<i64>,
    minutes: i64,
    born: usize,
    before: Arc<Snapshot>,
    /// The revision of the configuration then.
    revision: u64,
    seen: Seen,
    /// The last steps, to tell how it came to a fault.
    told: Vec<String>,
}

impl Walk {
    async fn new(seed: u64) -> Self {
        let mut chance = Chance::new(seed.wrapping_mul(0x0100_0001));
        let server = TestServer::new();
        let front = server.clone();
        let service = front.service().await;
        let segment = json!({ "name": "pilot", "constraints": [{ "contextName": "userId", "operator": "IN", "values": ["1"] }] });
        post(&service, "/api/admin/segments", segment).await.ok();
        let bank = json!({ "id": "bank", "name": "Bank" });
        post(&service, "/api/admin/projects", bank).await.ok();
        for flag in FLAGS {
            post(&service, &format!("{PROJECT}/features"), json!({ "name": flag }))
                .await
                .ok();
        }
        post(
            &service,
            "/api/admin/projects/bank/features",
            json!({ "name": "vault" }),
        )
        .await
        .ok();
        for (project, flag) in [("default", "checkout"), ("bank", "vault")] {
            let here = format!("/api/admin/projects/{project}/features/{flag}/environments/production");
            let strategy = json!({ "name": "default", "segments": [1] });
            post(&service, &format!("{here}/strategies"), strategy).await.ok();
            post(&service, &format!("{here}/on"), json!({})).await.ok();
        }
        let rule = json!({ "changeRequestsEnabled": true, "requiredApprovals": 2 });
        put(
            &service,
            "/api/admin/projects/bank/environments/production/change-requests/config",
            rule,
        )
        .await
        .ok();
        let closed = json!({ "mode": "protected" });
        put(&service, "/api/admin/projects/bank/settings", closed)
            .await
            .ok();
        let office = Office::new(&service).await;
        let mut people = Vec::new();
        for (number, role) in ["Editor", "Editor", "Editor", "Viewer", "Viewer", "Admin"]
            .into_iter()
            .enumerate()
        {
            people.push(Walker::new(&service, &office, number, role, &mut chance).await);
        }
        let before = server.app().serving().snapshot.clone();
        let mut walk = Self {
            seed,
            chance,
            server,
            born: people.len(),
            people,
            office,
            rule: None,
            given: BTreeMap::new(),
            requests: Vec::new(),
            minutes: 0,
            before: before.into(),
            revision: 0,
            seen: Seen::default(),
            told: Vec::new(),
        };
        walk.set_rule(&service).await;
        walk.remember();
        walk
    }

    /// From here on, what was before is this.
    fn remember(&mut self) {
        let serving = self.server.app().serving();
        if serving.revision.configuration != self.revision {
            self.before = serving.snapshot.clone().into();
            self.revision = serving.revision.configuration;
        }
    }

    fn now(&self) -> Arc<Snapshot> {
        self.server.app().serving().snapshot.clone().into()
    }

    async fn step(&mut self, service: &impl AnyService) {
        match self.chance.below(21) {
            0 => self.govern(service).await,
            1 => {
                self.minutes += 15;
                self.server.set_time(START + Duration::minutes(self.minutes));
                self.let_due_be_applied();
            }
            2 | 20 => self.try_a_door(service).await,
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
        self.remember();
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
        let shown = self.chance.pick(&self.people[who].shown).clone();
        let is_cookie = matches!(shown, Shown::Cookie(_));
        // now and then another site makes the browser send it
        let is_forged = is_cookie && self.chance.one_in(40);
        let headers = [
            shown.header(),
            ("content-type", "application/json"),
            (
                "sec-fetch-site",
                if is_forged { "cross-site" } else { "same-origin" },
            ),
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
        self.assert(
            is_cookie || answer.status != 401,
            "a token that counts was not let in",
        );
        self.assert(!is_forged || answer.status >= 400, "another site was obeyed");
        self.seen
            .note(if is_cookie { "by a session" } else { "by a token" });
        if answer.status >= 300 {
            self.seen.note("refused");
            return None;
        }
        Some(serde_json::from_str(&answer.text).unwrap_or_default())
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
        let mut body = json!({ "state": next });
        if next == "Scheduled" {
            body["scheduledAt"] = json!(later);
        }
        let expected = (next == "Approved").then(|| self.expected(&request));
        let path = format!("{PROJECT}/change-requests/{id}/state");
        let answer = self.send(service, who, Method::PUT, &path, &body).await;
        if let Some(noticed) = expected.filter(|_| answer.is_some()) {
            self.seen.note("approved");
            let by = self.people[who].person.id;
            self.given.entry(id).or_default().push(Given { by, noticed });
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
