//! Who may do what where, as of now: whoever acts is looked up anew, so that somebody who was removed or
//! demoted a moment ago counts for nothing.

use time::OffsetDateTime;
use vexil_access::{Permission, UserId};
use vexil_change_request::{Caller, ChangeRequest, Demand, Effect, InProject, Permissions, reach, rule_at};
use vexil_domain::{Actor, Snapshot};
use vexil_store::TokenKind;

use crate::operations::Error;
use crate::permission::Place;
use crate::principal::{Principal, token_actor};
use crate::serving_state::ServingState;
use crate::system::system;

/// Answers who may do what, as of one serving state and moment.
#[derive(Clone, Copy)]
pub(crate) struct Authority<'a> {
    serving: &'a ServingState,
    now: OffsetDateTime,
}

impl<'a> Authority<'a> {
    pub(crate) fn new(serving: &'a ServingState, now: OffsetDateTime) -> Self {
        Self { serving, now }
    }

    /// Whoever acts, with what they may do now; `None` for somebody who is gone.
    fn principal(self, actor: &Actor) -> Option<Principal> {
        if let Some(user) = self.serving.users.get(UserId(actor.id.0)) {
            return Some(Principal::of_user(user, &self.serving.access.directory));
        }
        let tokens = self.serving.tokens.values();
        let mut live = tokens.filter(|token| {
            token.kind == TokenKind::Admin && token.expires_at.is_none_or(|end| self.now < end)
        });
        let token = live.find(|token| token_actor(token).id == actor.id)?;
        Some(Principal::of_token(token, &self.serving.access.directory))
    }

    /// Whether everything is allowed.
    pub(crate) fn is_admin(self, actor: &Actor) -> bool {
        actor.id == system().id || self.principal(actor).is_some_and(|who| who.is_admin())
    }

    /// Whether somebody may do something in every one of these places. Where no rule asks for approvals, who
    /// may edit there at once may also do it by a request.
    fn may_everywhere<'p>(
        self,
        who: &Principal,
        permission: Permission,
        mut places: impl Iterator<Item = &'p InProject>,
        snapshot: &Snapshot,
        own: &InProject,
    ) -> bool {
        places.all(|place| {
            let here = Place::from(place);
            let free = place != own && rule_at(snapshot, place).is_none();
            who.may(permission, &here) || (free && who.may(Permission::UpdateFeatureEnvironment, &here))
        })
    }

    /// What somebody may do with a request that has this effect: what is allowed wherever it reaches.
    pub(crate) fn caller(
        self,
        actor: &Actor,
        request: &ChangeRequest,
        effect: &Effect,
        snapshot: &Snapshot,
    ) -> Caller {
        let who = self.principal(actor);
        let own = (request.project.clone(), request.environment.clone());
        let may = |permission| {
            who.as_ref().is_some_and(|who| {
                self.may_everywhere(who, permission, effect.reach.everywhere(), snapshot, &own)
            })
        };
        Caller {
            actor: actor.clone(),
            admin: self.is_admin(actor),
            permissions: Permissions {
                approve: may(Permission::ApproveChangeRequest),
                apply: may(Permission::ApplyChangeRequest),
            },
        }
    }

    /// Refuses an edit that is no change request where changes go through change requests, unless whoever edits
    /// may skip them there. What counts is where it takes effect, not what it names: a segment reaches wherever
    /// it is used. Rules, default strategies and membership that stand under a rule need the permission to
    /// decide about rules.
    pub(crate) fn check_edit(self, actor: &Actor, before: &Snapshot, after: &Snapshot) -> Result<(), Error> {
        if self.is_admin(actor) {
            return Ok(());
        }
        let reach = reach(before, after);
        if reach.is_empty() {
            return Ok(());
        }
        let who = self.principal(actor);
        let flags = reach
            .flags
            .iter()
            .map(|place| (place, Permission::SkipChangeRequest));
        let rules = reach
            .rules
            .iter()
            .map(|place| (place, Permission::WriteProjectChangeRequest));
        for (place, permission) in flags.chain(rules) {
            let is_protected = rule_at(before, place).is_some();
            let may = |who: &Principal| who.may(permission, &Place::from(place));
            if is_protected && !who.as_ref().is_some_and(may) {
                return Err(Error::missing_permission(permission.name()));
            }
        }
        Ok(())
    }

    /// Whether an approval by somebody counts for a request that has this effect. That of the author counts
    /// while the author is an admin.
    pub(crate) fn may_approve(
        self,
        actor: &Actor,
        request: &ChangeRequest,
        effect: &Effect,
        snapshot: &Snapshot,
    ) -> bool {
        let caller = self.caller(actor, request, effect, snapshot);
        caller.admin || (caller.permissions.approve && actor.id != request.created_by.id)
    }
}

/// Hands what approvals of a request must meet to `work`.
pub(crate) fn with_demand<T>(
    authority: Authority<'_>,
    request: &ChangeRequest,
    effect: &Effect,
    snapshot: &Snapshot,
    work: impl FnOnce(&Demand<'_>) -> T,
) -> T {
    let may_approve = |actor: &Actor| authority.may_approve(actor, request, effect, snapshot);
    work(&Demand {
        effect: &effect.signed,
        tolerates_change: effect.tolerates_change,
        required_approvals: effect.required_approvals,
        may_approve: &may_approve,
    })
}
