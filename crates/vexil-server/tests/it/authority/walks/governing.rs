//! Rights and rules that are set by whoever may, and tried by everybody else.

use actix_web::http::Method;
use serde_json::{Value, json};

use super::desk::{by, get, post, put};
use super::doors::{Leads, door};
use super::people::{ABOUT_CHANGES, Walker};
use super::steps::FLAGS;
use super::{PROJECT, Walk};
use crate::support::{ADMIN, AnyService, ask};

impl Walk {
    pub(super) async fn set_rule(&mut self, service: &impl AnyService) {
        let approvals = *self.chance.pick(&[1, 2, 2, 3]);
        let enabled = !self.chance.one_in(6);
        let body = json!({ "changeRequestsEnabled": enabled, "requiredApprovals": approvals });
        let path = format!("{PROJECT}/environments/production/change-requests/config");
        // the project may not use the environment at present; then nothing is set
        if put(service, &path, body).await.status < 300 {
            self.rule = enabled.then_some(approvals);
        }
    }

    /// Where somebody took the environment away it is brought back, off.
    async fn bring_back(service: &impl AnyService) {
        let back = json!({ "environment": "production" });
        post(service, &format!("{PROJECT}/environments"), back).await;
    }

    /// An administrator gives other rights, lets somebody go or sets the rule.
    pub(super) async fn govern(&mut self, service: &impl AnyService) {
        Self::bring_back(service).await;
        for flag in FLAGS {
            // those that are there stay as they are
            let path = format!("{PROJECT}/features");
            post(service, &path, json!({ "name": flag })).await;
        }
        let who = self.chance.below(self.people.len());
        match self.chance.below(5) {
            0 => self.set_rule(service).await,
            1 => self.people[who].promote(service, &mut self.chance).await,
            2 => {
                self.people[who]
                    .grant(service, &self.office, &mut self.chance)
                    .await
            }
            3 => {
                self.office
                    .gather(service, &mut self.people, &mut self.chance)
                    .await
            }
            _ => self.replace(service, who).await,
        }
        // whoever lost something was signed out
        self.people[who].sign_in(service).await;
        self.told
            .push("an administrator sets rights or the rule".to_owned());
        self.check_nothing("setting rights");
    }

    /// Somebody goes, and what they showed counts no longer; somebody else comes.
    async fn replace(&mut self, service: &impl AnyService, who: usize) {
        let path = format!("/api/admin/user-admin/{}", self.people[who].person.id);
        by(service, ADMIN, Method::DELETE, &path, &json!({})).await.ok();
        for shown in &self.people[who].shown {
            let answer = ask(
                service,
                Method::GET,
                "/api/admin/user",
                &[shown.header()],
                Vec::new(),
            )
            .await;
            self.assert(answer.status == 401, "somebody who is gone comes in");
        }
        self.seen.note("gone and shut out");
        self.born += 1;
        let role = *self.chance.pick(&["Editor", "Viewer"]);
        self.people[who] = Walker::new(service, &self.office, self.born, role, &mut self.chance).await;
    }

    pub(super) async fn try_a_door(&mut self, service: &impl AnyService) {
        // most often somebody who may give others access
        let keepers: Vec<usize> = (0..self.people.len())
            .filter(|at| self.people[*at].rights.keeps())
            .collect();
        let who = if keepers.is_empty() || self.chance.one_in(3) {
            self.chance.below(self.people.len())
        } else {
            *self.chance.pick(&keepers)
        };
        let other = self.chance.below(self.people.len());
        if self.people[who].rights.admin || who == other {
            return;
        }
        let (own, others) = (self.people[who].person.id, self.people[other].person.id);
        let (leads, method, path, body) = door(own, others, &self.office, &mut self.chance);
        let opened = self.send(service, who, method, &path, &body).await.is_some();
        self.assert(
            !opened || leads != Leads::Nowhere,
            "somebody did what administrators do",
        );
        if opened && leads == Leads::Rule && self.rule.is_none() {
            // who runs a project may ask for approvals where none were asked for
            self.rule = self.rule_now();
        }
        if opened && leads == Leads::Access {
            self.seen.note("gave others access");
            self.check_access(service, who).await;
        }
        self.check_nothing("a door");
    }

    /// Whoever gave access has no more than before, and others have nothing that the giver may not give; then
    /// an administrator takes it back.
    async fn check_access(&mut self, service: &impl AnyService, who: usize) {
        let giver_skips = self.people[who].rights.in_production("SKIP_CHANGE_REQUEST");
        for at in 0..self.people.len() {
            for permission in ABOUT_CHANGES {
                let has = self.may_in_production(service, at, permission, "default").await;
                let had = self.people[at].rights.in_production(permission);
                let may_be_given = at != who && (permission != "SKIP_CHANGE_REQUEST" || giver_skips);
                self.assert(
                    !has || had || may_be_given,
                    &format!("{permission} was given to {}", self.people[at].person.id),
                );
            }
            let far = self
                .may_in_production(service, at, "APPROVE_CHANGE_REQUEST", "bank")
                .await;
            self.assert(
                !far || self.people[at].rights.admin,
                "somebody may approve in another project",
            );
        }
        Self::bring_back(service).await;
        for walker in &self.people {
            walker.restore(service, &self.office).await;
        }
        self.office.restore(service, &mut self.people).await;
    }

    /// What the server says that somebody may do.
    async fn may_in_production(
        &self,
        service: &impl AnyService,
        at: usize,
        permission: &str,
        project: &str,
    ) -> bool {
        let id = self.people[at].person.id;
        let path = format!("/api/admin/user-admin/{id}/permissions?project={project}&environment=production");
        let told = get(service, &path).await.ok();
        let listed = told["overview"]["environment"].as_array().unwrap();
        let found: Option<&Value> = listed.iter().find(|it| it["name"] == permission);
        found.unwrap()["hasPermission"] == true
    }
}
