//! What must hold after a step, whoever made it.

use std::sync::Arc;

use vexil_change_request::{ChangeRequest, State};
use vexil_domain::EnvironmentName;
use vexil_service::operations::change_requests::apply_due;

use super::Walk;
use super::effect::{Effect, effect, noticed, outcome};
use super::people::Walker;

impl Walk {
    /// Applies what is due, and checks that it may be.
    pub(super) fn let_due_be_applied(&mut self) {
        let scheduled: Vec<ChangeRequest> = self
            .requests
            .iter()
            .filter_map(|id| self.request(*id))
            .filter(|request| request.state == State::Scheduled)
            .collect();
        apply_due(self.server.app()).unwrap();
        self.told.push(format!("{} minutes", self.minutes));
        let applied: Vec<&ChangeRequest> = scheduled
            .iter()
            .filter(|request| {
                self.request(request.id.0)
                    .is_some_and(|it| it.state == State::Applied)
            })
            .collect();
        match applied[..] {
            [] => self.check_nothing("time that passes"),
            [request] => {
                let by = request.schedule.as_ref().unwrap().scheduled_by.id.0;
                let who = self.people.iter().position(|walker| walker.person.id == by);
                self.assert(who.is_some(), "applied in the name of somebody who is gone");
                self.check_applied(request, who.unwrap());
                self.seen.note("applied when due");
            }
            // the effects of several cannot be told apart
            _ => {}
        }
    }

    pub(super) fn changed(&self) -> Effect {
        if self.server.app().serving().revision.configuration == self.revision {
            return Effect::new();
        }
        effect(&outcome(&self.before), &outcome(&self.now()))
    }

    pub(super) fn check_nothing(&mut self, doing: &str) {
        let changed = self.changed();
        self.assert(changed.is_empty(), &format!("{doing} changed {changed:?}"));
    }

    /// Whether one of the flags belongs to a project. In the other one only administrators may do anything.
    fn is_of(&self, project: &str, changed: &Effect) -> bool {
        let snapshots = [&self.before, &self.now()].map(Arc::clone);
        changed.keys().any(|name| {
            snapshots.iter().any(|snapshot| {
                snapshot
                    .flags
                    .get(name)
                    .is_some_and(|flag| flag.project.as_str() == project)
            })
        })
    }

    /// Whether what is said of a project or of its flags is another than before.
    fn is_other(&self, project: &str) -> bool {
        let now = self.now();
        let sides = [&self.before, &now].map(|side| {
            let flags = side
                .flags
                .values()
                .filter(|flag| flag.project.as_str() == project);
            (side.projects.get(project), flags.collect::<Vec<_>>())
        });
        sides[0] != sides[1]
    }

    pub(super) fn check_edit(&mut self, who: usize) {
        let rights = &self.people[who].rights;
        self.assert(
            rights.edits() || !self.is_other("default"),
            "somebody edited a project that is not theirs",
        );
        self.assert(
            rights.admin || !self.is_other("bank"),
            "somebody edited another project",
        );
        let changed = self.changed();
        if changed.is_empty() {
            return;
        }
        let rights = &self.people[who].rights;
        let (admin, skips) = (rights.admin, rights.in_production("SKIP_CHANGE_REQUEST"));
        let near = !self.is_of("bank", &changed);
        let free = self.rule.is_none();
        self.assert(
            admin || (near && (free || skips)),
            &format!("an edit changed {changed:?}"),
        );
        self.seen.note(if admin {
            "by an administrator"
        } else if free {
            "without a rule"
        } else {
            "edited by whoever may skip"
        });
    }

    pub(super) fn check_applied(&mut self, request: &ChangeRequest, who: usize) {
        let changed = self.changed();
        if changed.is_empty() {
            return;
        }
        self.seen.note("applied");
        let far = self.is_of("bank", &changed);
        let near = !far;
        // the strictest of the rules under which the request stands and its effect falls
        let is_ours = request.environment.as_str() == "production" || self.is_of("default", &changed);
        let rules = [is_ours.then_some(self.rule).flatten(), far.then_some(2)];
        let Some(wanted) = rules.into_iter().max().flatten() else {
            return;
        };
        let may = |walker: &Walker, permission| {
            walker.rights.admin || (near && walker.rights.in_production(permission))
        };
        let noticed = noticed(&self.before, &self.now());
        let applies = may(&self.people[who], "APPLY_CHANGE_REQUEST");
        self.assert(applies, "applied by somebody who may not");
        let approved: Vec<i64> = self
            .people
            .iter()
            .filter(|walker| may(walker, "APPROVE_CHANGE_REQUEST"))
            .filter(|walker| walker.rights.admin || walker.person.id != request.created_by.id.0)
            .map(|walker| walker.person.id)
            .filter(|id| {
                self.given
                    .get(&request.id.0)
                    .is_some_and(|given| given.iter().any(|one| one.by == *id && one.noticed == noticed))
            })
            .collect();
        let enough = approved.len() >= usize::try_from(wanted).unwrap();
        self.assert(
            enough,
            &format!(
                "request {} changed {changed:?} with the approvals of {approved:?}, and {wanted} are needed",
                request.id.0
            ),
        );
    }

    /// How many approvals production asks for.
    pub(super) fn rule_now(&self) -> Option<u32> {
        let rule = self.now().projects["default"].rule(&EnvironmentName::from("production"));
        rule.map(|rule| rule.required_approvals)
    }

    /// A rule stays as administrators set it, also while the project does not use the environment.
    pub(super) fn check_rule(&self) {
        let rule = self.rule_now();
        let fault = format!("the rule is {rule:?} and was set to {:?}", self.rule);
        self.assert(rule == self.rule, &fault);
    }

    #[track_caller]
    pub(super) fn assert(&self, holds: bool, fault: &str) {
        if !holds {
            let last = &self.told[self.told.len().saturating_sub(60)..];
            panic!("instance {}: {fault}\n{}", self.seed, last.join("\n"));
        }
    }
}
