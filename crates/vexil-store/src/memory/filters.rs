//! What the filters mean, in plain words of the language.

use vexil_change_request::ChangeRequest;

use crate::{ChangeRequestFilter, Event, EventFilter, NewEvent, Page};

pub(super) fn admits_change_request(filter: &ChangeRequestFilter, it: &ChangeRequest) -> bool {
    let changes_flag = |flag| {
        it.changes
            .iter()
            .any(|planned| planned.flag.as_ref() == Some(flag))
    };
    let names_segment = |id| {
        it.changes.iter().any(|planned| {
            planned.change.segment() == Some(id) || planned.change.segments_used().contains(&id)
        })
    };
    filter.project.as_ref().is_none_or(|wanted| *wanted == it.project)
        && filter
            .environment
            .as_ref()
            .is_none_or(|wanted| *wanted == it.environment)
        && (filter.states.is_empty() || filter.states.contains(&it.state))
        && filter.created_by.is_none_or(|wanted| wanted == it.created_by.id)
        && filter
            .requested_reviewer
            .is_none_or(|wanted| it.requested_reviewers.contains(&wanted))
        && filter.flag.as_ref().is_none_or(changes_flag)
        && filter.segment.is_none_or(names_segment)
}

pub(super) fn admits_event(filter: &EventFilter, Event { id, event: it }: &Event) -> bool {
    one_of(&filter.ids, Some(id))
        && one_of(&filter.kinds, Some(&it.kind))
        && one_of(&filter.projects, it.project.as_ref())
        && one_of(&filter.environments, it.environment.as_ref())
        && one_of(&filter.flags, it.flag.as_ref())
        && one_of(&filter.actors, Some(&it.actor.id))
        && one_of(&filter.change_requests, it.change_request.as_ref())
        && (filter.texts.is_empty() || filter.texts.iter().any(|text| contains(it, text)))
        && filter.from.is_none_or(|from| it.created_at >= from)
        && filter.before.is_none_or(|before| it.created_at < before)
}

/// Whether what was or is contains a text, in whatever case.
fn contains(it: &NewEvent, text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    [&it.data, &it.pre_data]
        .into_iter()
        .flatten()
        .any(|document| document.to_ascii_lowercase().contains(&text))
}

fn one_of<T: PartialEq>(wanted: &[T], found: Option<&T>) -> bool {
    wanted.is_empty() || found.is_some_and(|found| wanted.contains(found))
}

pub(super) fn page<'a, T: Clone + 'a>(
    matching: impl Iterator<Item = &'a T> + Clone,
    offset: u64,
    limit: Option<u64>,
) -> Page<T> {
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let total = u64::try_from(matching.clone().count()).unwrap_or(u64::MAX);
    let items = matching.skip(count(offset)).take(limit.map_or(usize::MAX, count));
    Page {
        items: items.cloned().collect(),
        total,
    }
}
