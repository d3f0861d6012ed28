//! Finding flags: by text, project, type and more; page by page, in an order without ties.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use vexil_change_request::ChangeRequest;
use vexil_domain::{EnvironmentName, FeatureFlag, FlagName, Segment, Snapshot};

/// Values that something must, or must not, be one of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Wanted {
    /// The values; empty where anything goes.
    pub(crate) values: Vec<String>,
    /// Whether they are unwanted.
    pub(crate) negated: bool,
}

impl Wanted {
    fn fits(&self, value: &str) -> bool {
        self.values.is_empty() || self.values.iter().any(|wanted| wanted == value) != self.negated
    }

    fn fits_any<'a>(&self, mut values: impl Iterator<Item = &'a str>) -> bool {
        self.values.is_empty() || values.any(|value| self.values.iter().any(|it| it == value)) != self.negated
    }
}

/// By what flags are put in order; then by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum SortBy {
    /// When they were created.
    #[default]
    CreatedAt,
    /// Their names.
    Name,
    /// What they are for.
    Kind,
    /// Their projects.
    Project,
}

/// Which flags to find.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct FlagQuery {
    /// Parts of names or descriptions, in lower case, of which one must occur.
    pub(crate) texts: Vec<String>,
    /// The project.
    pub(crate) project: Wanted,
    /// What they are for.
    pub(crate) kind: Wanted,
    /// `stale` or `active`.
    pub(crate) state: Wanted,
    /// The name of a segment that a strategy uses.
    pub(crate) segment: Wanted,
    /// Who created them, by id.
    pub(crate) created_by: Wanted,
    /// Whether archived flags are looked for, in place of live ones.
    pub(crate) archived: bool,
    /// The order.
    pub(crate) sort_by: SortBy,
    /// Whether the order is turned round.
    pub(crate) descending: bool,
    /// How many to pass over.
    pub(crate) offset: usize,
    /// How many to show at most.
    pub(crate) limit: usize,
}

/// One page of what was found.
pub(crate) struct Found<'a> {
    /// The flags of the page.
    pub(crate) flags: Vec<&'a FeatureFlag>,
    /// How many there are on all pages.
    pub(crate) total: usize,
}

/// Finds flags.
pub(crate) fn search<'a>(snapshot: &'a Snapshot, query: &FlagQuery) -> Found<'a> {
    let fitting = snapshot
        .flags
        .values()
        .map(AsRef::as_ref)
        .filter(|flag| query.fits(snapshot, flag));
    let mut flags: Vec<&FeatureFlag> = fitting.collect();
    flags.sort_by(|a, b| query.compare(a, b));
    let total = flags.len();
    Found {
        flags: flags.into_iter().skip(query.offset).take(query.limit).collect(),
        total,
    }
}

impl FlagQuery {
    fn fits(&self, snapshot: &Snapshot, flag: &FeatureFlag) -> bool {
        let creator = flag
            .created_by
            .as_ref()
            .map(|actor| actor.id.0.to_string())
            .unwrap_or_default();
        flag.is_archived() == self.archived
            && self.project.fits(flag.project.as_str())
            && self.kind.fits(&flag.kind)
            && self.state.fits(if flag.stale { "stale" } else { "active" })
            && self.created_by.fits(&creator)
            && self.fits_text(flag)
            && self.segment.fits_any(
                segments_of(snapshot, flag)
                    .iter()
                    .map(|segment| segment.name.as_str()),
            )
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

    fn compare(&self, a: &FeatureFlag, b: &FeatureFlag) -> Ordering {
        let order = match self.sort_by {
            SortBy::CreatedAt => a.created_at.cmp(&b.created_at),
            SortBy::Name => Ordering::Equal,
            SortBy::Kind => a.kind.cmp(&b.kind),
            SortBy::Project => a.project.cmp(&b.project),
        };
        let order = order.then_with(|| a.name.cmp(&b.name));
        if self.descending { order.reverse() } else { order }
    }
}

/// The segments that the strategies of a flag use, by id.
pub(crate) fn segments_of<'a>(snapshot: &'a Snapshot, flag: &FeatureFlag) -> Vec<&'a Segment> {
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
pub(crate) type OpenRequests<'a> = BTreeMap<(&'a FlagName, &'a EnvironmentName), BTreeSet<i64>>;

/// Which change requests would change which flag in which environment.
pub(crate) fn by_flag(requests: &[ChangeRequest]) -> OpenRequests<'_> {
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
