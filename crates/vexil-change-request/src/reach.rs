//! Where an edit takes effect: told by what is different, not by what was named.

use std::collections::BTreeSet;

use vexil_domain::{
    ChangeRequestRule, Dependents, EnvironmentName, FeatureFlag, FlagName, FlagSettings, Project, ProjectId,
    Segment, SegmentId, Snapshot, Write,
};

/// An environment of a project.
pub type InProject = (ProjectId, EnvironmentName);

/// Where two snapshots differ in what decides who gets a flag.
///
/// It is a function of the difference alone, so every edit has one, of whatever kind: a change, a change
/// request, an edit that is no change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reach {
    /// Where flags may be decided differently: their settings, what they depend on, whether they are there,
    /// and the segments they use.
    pub flags: BTreeSet<InProject>,
    /// Where the rules are different: whether changes need approvals and how many, the default strategy and
    /// stickiness, and whether the environment is used at all.
    pub rules: BTreeSet<InProject>,
}

impl Reach {
    /// Whether nothing is different that decides anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.flags.is_empty() && self.rules.is_empty()
    }

    /// Everywhere, each once.
    pub fn everywhere(&self) -> impl Iterator<Item = &InProject> {
        let rules = self.rules.iter();
        self.flags
            .iter()
            .chain(rules.filter(|place| !self.flags.contains(*place)))
    }
}

/// The rule about change requests in an environment of a project; `None` where there is none.
#[must_use]
pub fn rule_at(snapshot: &Snapshot, (project, environment): &InProject) -> Option<ChangeRequestRule> {
    snapshot.projects.get(project)?.rule(environment)
}

/// Where `after` differs from `before` in what decides who gets a flag.
///
/// - The settings of a flag in an environment reach that environment.
/// - Dependencies, archiving, and whatever else a flag has once, reach every environment of its project.
/// - A flag that appears reaches where it is on, and every environment when flags depend on it already.
/// - A segment reaches wherever a live flag or a default strategy uses it, before or after, whichever project
///   that is; one that is a project's own reaches all of that project. One that is new reaches nothing.
/// - Rules, default strategies, default stickiness, joining, leaving, and an environment's own switch reach
///   where they hold.
///
/// What only people read (names, descriptions, types, staleness) reaches nothing.
#[must_use]
pub fn reach(before: &Snapshot, after: &Snapshot) -> Reach {
    let delta = after.since(before);
    let mut found = Finding {
        before,
        after,
        dependents: None,
        reach: Reach::default(),
    };
    for write in &delta.flags {
        let name = match write {
            Write::Upsert(flag) => &flag.name,
            Write::Delete(name) => name,
        };
        found.flag(name);
    }
    let segments: BTreeSet<SegmentId> = delta.segments.iter().map(segment_id).collect();
    found.segments(&segments);
    for write in &delta.projects {
        let id = match write {
            Write::Upsert(project) => &project.id,
            Write::Delete(id) => id,
        };
        found.project(id);
    }
    for write in &delta.environments {
        let name = match write {
            Write::Upsert(environment) => &environment.name,
            Write::Delete(name) => name,
        };
        found.environment(name);
    }
    found.reach
}

fn segment_id(write: &Write<SegmentId, Segment>) -> SegmentId {
    match write {
        Write::Upsert(segment) => segment.id,
        Write::Delete(id) => *id,
    }
}

struct Finding<'a> {
    before: &'a Snapshot,
    after: &'a Snapshot,
    dependents: Option<Dependents>,
    reach: Reach,
}

impl Finding<'_> {
    fn flag(&mut self, name: &FlagName) {
        let live = |snapshot: &'_ Snapshot| {
            snapshot
                .flags
                .get(name)
                .filter(|flag| !flag.is_archived())
                .cloned()
        };
        match (live(self.before), live(self.after)) {
            (Some(was), Some(is)) => self.edited(&was, &is),
            (Some(was), None) => self.all_of(&was.project),
            (None, Some(is)) => self.appeared(&is),
            (None, None) => {}
        }
    }

    fn edited(&mut self, was: &FeatureFlag, is: &FeatureFlag) {
        if was.project != is.project {
            self.all_of(&was.project);
            self.all_of(&is.project);
        }
        if was.dependencies != is.dependencies {
            self.all_of(&is.project);
        }
        let none = FlagSettings::default();
        let names: BTreeSet<&EnvironmentName> =
            was.environments.keys().chain(is.environments.keys()).collect();
        for name in names {
            let settings = |flag: &'_ FeatureFlag| flag.environments.get(name).cloned();
            let (old, new) = (settings(was), settings(is));
            if old.as_deref().unwrap_or(&none) != new.as_deref().unwrap_or(&none) {
                self.reach.flags.insert((is.project.clone(), name.clone()));
            }
        }
    }

    fn appeared(&mut self, flag: &FeatureFlag) {
        let on = flag.environments.iter().filter(|(_, settings)| settings.enabled);
        let on = on.map(|(name, _)| (flag.project.clone(), name.clone()));
        self.reach.flags.extend(on);
        let before = self.before;
        let dependents = self.dependents.get_or_insert_with(|| Dependents::of(before));
        if dependents.on(&flag.name).next().is_some() {
            self.all_of(&flag.project);
        }
    }

    /// Every environment of a project, before and after.
    fn all_of(&mut self, project: &ProjectId) {
        for snapshot in [self.before, self.after] {
            let known = snapshot.projects.get(project);
            let names = known.into_iter().flat_map(|project| environments_of(project));
            self.reach
                .flags
                .extend(names.map(|name| (project.clone(), name.clone())));
        }
    }

    fn segments(&mut self, changed: &BTreeSet<SegmentId>) {
        if changed.is_empty() {
            return;
        }
        for id in changed {
            let owners = [self.before, self.after].map(|snapshot| {
                let segment = snapshot.segments.get(id)?;
                segment.project.clone()
            });
            // nobody can use what was not there
            if self.before.segments.contains_key(id) {
                owners.iter().flatten().for_each(|owner| self.all_of(owner));
            }
        }
        for snapshot in [self.before, self.after] {
            self.reach.flags.extend(uses(snapshot, changed));
        }
    }

    fn project(&mut self, id: &ProjectId) {
        let (was, is) = (self.before.projects.get(id), self.after.projects.get(id));
        let Some(was) = was else { return };
        let mut names: BTreeSet<&EnvironmentName> = environments_of(was).collect();
        names.extend(is.into_iter().flat_map(|is| environments_of(is)));
        let stickiness = is.is_none_or(|is| is.default_stickiness != was.default_stickiness);
        for name in names {
            let rules = |project: &'_ Project| {
                (
                    project.environments.get(name).cloned(),
                    project.left_environments.get(name).cloned(),
                )
            };
            if stickiness || is.is_none_or(|is| rules(is) != rules(was)) {
                self.reach.rules.insert((id.clone(), name.clone()));
            }
        }
    }

    /// The environment's own switch, or that it is gone.
    fn environment(&mut self, name: &EnvironmentName) {
        let enabled = |snapshot: &'_ Snapshot| snapshot.environments.get(name).map(|it| it.enabled);
        let was = enabled(self.before);
        if was.is_none() || was == enabled(self.after) {
            return;
        }
        for project in self.before.projects.values() {
            if environments_of(project).any(|other| other == name) {
                self.reach.rules.insert((project.id.clone(), name.clone()));
            }
        }
    }
}

/// The environments that a project uses, or has left.
fn environments_of(project: &Project) -> impl Iterator<Item = &EnvironmentName> {
    project
        .environments
        .keys()
        .chain(project.left_environments.keys())
}

/// Where live flags and default strategies use any of the segments.
fn uses<'a>(
    snapshot: &'a Snapshot,
    segments: &'a BTreeSet<SegmentId>,
) -> impl Iterator<Item = InProject> + use<'a> {
    let any = |used: &[SegmentId]| used.iter().any(|id| segments.contains(id));
    let flags = snapshot.flags.values().filter(|flag| !flag.is_archived());
    let flags = flags.flat_map(move |flag| {
        let used = flag.environments.iter();
        let used = used.filter(move |(_, settings)| settings.strategies.iter().any(|one| any(&one.segments)));
        used.map(|(name, _)| (flag.project.clone(), name.clone()))
    });
    let defaults = snapshot.projects.values().flat_map(move |project| {
        let all = project.environments.iter().chain(&project.left_environments);
        let used = all.filter(move |(_, rules)| {
            let strategy = rules.default_strategy.as_ref();
            strategy.is_some_and(|strategy| any(&strategy.segments))
        });
        used.map(|(name, _)| (project.id.clone(), name.clone()))
    });
    flags.chain(defaults)
}
