//! Finding flags: by text, project, type and more; page by page, in an order without ties.

mod filters;
mod stage;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use time::OffsetDateTime;
use vexil_change_request::ChangeRequest;
use vexil_domain::{EnvironmentName, FeatureFlag, FlagName, ProjectId, Segment, Snapshot};

pub use filters::{Day, Listed, OneOf, Switch};
pub use stage::{LastSeen, STAGES, Stage, lifecycle_of, stage_of};

/// By what flags are put in order; then by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum SortBy {
    /// When they were created.
    #[default]
    CreatedAt,
    /// Their names.
    Name,
    /// What they are for.
    Kind,
    /// Their projects.
    Project,
    /// When they were last reported; those that never were come first.
    LastSeenAt,
    /// Whether they have outlived their purpose; those that have not come first.
    Stale,
    /// Whether they are on in an environment; off comes first.
    Environment(EnvironmentName),
}

/// Which flags to find.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlagQuery {
    /// Parts of names or descriptions, in lower case, of which one must occur.
    pub texts: Vec<String>,
    /// The project.
    pub project: Option<OneOf>,
    /// What they are for.
    pub kind: Option<OneOf>,
    /// `active`, `stale` or `potentially-stale`: one that is the last is active too.
    pub state: Option<OneOf>,
    /// How far they have come: one of [`STAGES`].
    pub lifecycle: Option<OneOf>,
    /// The names of segments that strategies use.
    pub segment: Option<Listed>,
    /// Their tags, as `type:value`.
    pub tag: Option<Listed>,
    /// Who created them, by id.
    pub created_by: Option<OneOf>,
    /// When they were created.
    pub created_at: Option<Day>,
    /// When they were last reported.
    pub last_seen_at: Option<Day>,
    /// Whether they are on, in environments of which any one will do.
    pub status: Vec<Switch>,
    /// Whether archived flags are looked for, in place of live ones.
    pub archived: bool,
    /// The flags that whoever asks has marked as favourites.
    pub favorites: BTreeSet<FlagName>,
    /// Whether flags are looked for that are among them, or are not.
    pub favorite: Option<bool>,
    /// Whether those among them come first, whatever the order.
    pub favorites_first: bool,
    /// The order.
    pub sort_by: SortBy,
    /// Whether the order is turned round.
    pub descending: bool,
    /// How many to pass over.
    pub offset: usize,
    /// How many to show at most.
    pub limit: usize,
}

/// One page of what was found.
pub struct Found<'a> {
    /// The flags of the page.
    pub flags: Vec<&'a FeatureFlag>,
    /// How many there are on all pages.
    pub total: usize,
}

opaque!(Found<'_>);

/// Finds flags among those of projects that `sees` admits.
pub fn search<'a>(
    snapshot: &'a Snapshot,
    last_seen: &LastSeen,
    query: &FlagQuery,
    sees: impl Fn(&ProjectId) -> bool,
) -> Found<'a> {
    let fitting = snapshot
        .flags
        .values()
        .map(AsRef::as_ref)
        .filter(|flag| sees(&flag.project) && query.fits(snapshot, last_seen, flag));
    let mut flags: Vec<&FeatureFlag> = fitting.collect();
    flags.sort_by(|a, b| query.compare(last_seen, a, b));
    let total = flags.len();
    Found {
        flags: flags.into_iter().skip(query.offset).take(query.limit).collect(),
        total,
    }
}

/// Whether a filter that may not be there lets something through.
fn passes<F>(filter: Option<&F>, fits: impl Fn(&F) -> bool) -> bool {
    filter.is_none_or(fits)
}

impl FlagQuery {
    fn fits(&self, snapshot: &Snapshot, last_seen: &LastSeen, flag: &FeatureFlag) -> bool {
        let creator = flag.created_by.as_ref().map(|actor| actor.id.0.to_string());
        let is = |filter: Option<&OneOf>, value: &str| passes(filter, |it| it.fits(value));
        let stage = || stage_of(snapshot, last_seen, flag).name();
        let segments = || segments_of(snapshot, flag).into_iter().map(|it| it.name.as_str());
        let tags = || {
            let tags = flag.tags.iter();
            tags.map(|tag| format!("{}:{}", tag.kind, tag.value))
                .collect::<Vec<String>>()
        };
        flag.is_archived() == self.archived
            && passes(self.favorite.as_ref(), |it| *it == self.is_favorite(flag))
            && is(self.project.as_ref(), flag.project.as_str())
            && is(self.kind.as_ref(), &flag.kind)
            && passes(self.state.as_ref(), |it| it.fits_any(states(flag)))
            && is(self.created_by.as_ref(), &creator.unwrap_or_default())
            && self.fits_text(flag)
            && passes(self.created_at.as_ref(), |day| day.holds(Some(flag.created_at)))
            && passes(self.last_seen_at.as_ref(), |day| {
                day.holds(latest(last_seen, &flag.name))
            })
            && (self.status.is_empty() || self.status.iter().any(|it| it.fits(snapshot, flag)))
            && passes(self.tag.as_ref(), |it| {
                it.fits(&tags().iter().map(String::as_str).collect())
            })
            && passes(self.segment.as_ref(), |it| it.fits(&segments().collect()))
            && passes(self.lifecycle.as_ref(), |it| it.fits(stage()))
    }

    fn fits_text(&self, flag: &FeatureFlag) -> bool {
        if self.texts.is_empty() {
            return true;
        }
        let name = flag.name.as_str().to_lowercase();
        let description = flag.description.as_deref().unwrap_or_default().to_lowercase();
        self.texts
            .iter()
            .any(|text| name.contains(text) || description.contains(text))
    }

    fn compare(&self, last_seen: &LastSeen, a: &FeatureFlag, b: &FeatureFlag) -> Ordering {
        let is_on = |flag: &FeatureFlag, environment| {
            let settings = flag.environments.get(environment);
            settings.is_some_and(|settings| settings.enabled)
        };
        let order = match &self.sort_by {
            SortBy::CreatedAt => a.created_at.cmp(&b.created_at),
            SortBy::Name => Ordering::Equal,
            SortBy::Kind => a.kind.cmp(&b.kind),
            SortBy::Project => a.project.cmp(&b.project),
            SortBy::LastSeenAt => latest(last_seen, &a.name).cmp(&latest(last_seen, &b.name)),
            SortBy::Stale => a.stale.cmp(&b.stale),
            SortBy::Environment(name) => is_on(a, name).cmp(&is_on(b, name)),
        };
        let order = order.then_with(|| a.name.cmp(&b.name));
        let order = if self.descending { order.reverse() } else { order };
        if self.favorites_first {
            self.is_favorite(b).cmp(&self.is_favorite(a)).then(order)
        } else {
            order
        }
    }

    /// Whether whoever asks has marked a flag.
    #[must_use]
    pub fn is_favorite(&self, flag: &FeatureFlag) -> bool {
        self.favorites.contains(&flag.name)
    }
}

/// What a flag is called by how it has aged.
fn states(flag: &FeatureFlag) -> &'static [&'static str] {
    if flag.stale {
        &["stale"]
    } else if flag.is_potentially_stale() {
        &["active", "potentially-stale"]
    } else {
        &["active"]
    }
}

/// When a flag was last reported, wherever it was.
fn latest(last_seen: &LastSeen, flag: &FlagName) -> Option<OffsetDateTime> {
    last_seen.get(flag)?.values().max().copied()
}

/// The segments that the strategies of a flag use, by id.
pub fn segments_of<'a>(snapshot: &'a Snapshot, flag: &FeatureFlag) -> Vec<&'a Segment> {
    let strategies = flag
        .environments
        .values()
        .flat_map(|settings| &settings.strategies);
    let ids: BTreeSet<_> = strategies.flat_map(|strategy| &strategy.segments).collect();
    ids.into_iter()
        .filter_map(|id| snapshot.segments.get(id))
        .map(AsRef::as_ref)
        .collect()
}

/// Change requests by the flag that they would change, and the environment where they would.
pub type OpenRequests<'a> = BTreeMap<(&'a FlagName, &'a EnvironmentName), BTreeSet<i64>>;

/// Which change requests would change which flag in which environment.
#[must_use]
pub fn by_flag(requests: &[ChangeRequest]) -> OpenRequests<'_> {
    let mut found = OpenRequests::new();
    for request in requests {
        for flag in request.changes.iter().filter_map(|planned| planned.flag.as_ref()) {
            found
                .entry((flag, &request.environment))
                .or_default()
                .insert(request.id.0);
        }
    }
    found
}
