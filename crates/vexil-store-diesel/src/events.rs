//! The audit log.

use diesel::expression::BoxableExpression;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, Text};
use vexil_change_request::ChangeRequestId;
use vexil_domain::{Actor, ActorId};
use vexil_store::{Event, EventFilter, EventId, NewEvent, Page};

use crate::connection::{AnyBackend, AnyConnection, insert_all};
use crate::error::DbError;
use crate::instant;
use crate::schema::events;

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = events, treat_none_as_default_value = false)]
struct EventRow {
    kind: String,
    created_at: i64,
    created_by_id: i64,
    created_by_name: String,
    project: Option<String>,
    environment: Option<String>,
    flag: Option<String>,
    data: Option<String>,
    pre_data: Option<String>,
    change_request: Option<i64>,
}

impl EventRow {
    fn new(event: &NewEvent) -> Self {
        Self {
            kind: event.kind.clone(),
            created_at: instant::to_stored(event.created_at),
            created_by_id: event.actor.id.0,
            created_by_name: event.actor.name.clone(),
            project: event.project.as_ref().map(ToString::to_string),
            environment: event.environment.as_ref().map(ToString::to_string),
            flag: event.flag.as_ref().map(ToString::to_string),
            data: event.data.clone(),
            pre_data: event.pre_data.clone(),
            change_request: event.change_request.map(|id| id.0),
        }
    }

    fn into_event(self, id: i64) -> Result<Event, DbError> {
        let event = NewEvent {
            kind: self.kind,
            created_at: instant::from_stored(self.created_at)?,
            actor: Actor {
                id: ActorId(self.created_by_id),
                name: self.created_by_name,
            },
            project: self.project.map(Into::into),
            environment: self.environment.map(Into::into),
            flag: self.flag.map(Into::into),
            data: self.data,
            pre_data: self.pre_data,
            change_request: self.change_request.map(ChangeRequestId),
        };
        Ok(Event {
            id: EventId(id),
            event,
        })
    }
}

/// Appends events, in order.
pub(crate) fn append(connection: &mut AnyConnection, new: &[NewEvent]) -> Result<(), DbError> {
    let rows: Vec<_> = new.iter().map(EventRow::new).collect();
    Ok(insert_all!(connection, events, rows)?)
}

/// Reads events, the newest first.
pub(crate) fn select(connection: &mut AnyConnection, filter: &EventFilter) -> Result<Page<Event>, DbError> {
    let total: i64 = matching(filter).count().get_result(connection)?;
    let rows: Vec<(i64, EventRow)> = matching(filter)
        .select((events::id, EventRow::as_select()))
        .order(events::id.desc())
        .offset(to_signed(filter.offset))
        .limit(filter.limit.map_or(i64::MAX, to_signed))
        .load(connection)?;
    Ok(Page {
        items: rows
            .into_iter()
            .map(|(id, row)| row.into_event(id))
            .collect::<Result<_, _>>()?,
        total: u64::try_from(total).unwrap_or_default(),
    })
}

fn matching(filter: &EventFilter) -> events::BoxedQuery<'_, AnyBackend> {
    let mut query = events::table.into_boxed();
    if !filter.ids.is_empty() {
        let ids: Vec<i64> = filter.ids.iter().map(|id| id.0).collect();
        query = query.filter(events::id.eq_any(ids));
    }
    if !filter.kinds.is_empty() {
        query = query.filter(events::kind.eq_any(names(&filter.kinds)));
    }
    if !filter.projects.is_empty() {
        query = query.filter(events::project.eq_any(names(&filter.projects)));
    }
    if !filter.environments.is_empty() {
        query = query.filter(events::environment.eq_any(names(&filter.environments)));
    }
    if !filter.flags.is_empty() {
        query = query.filter(events::flag.eq_any(names(&filter.flags)));
    }
    if !filter.actors.is_empty() {
        let actors: Vec<i64> = filter.actors.iter().map(|id| id.0).collect();
        query = query.filter(events::created_by_id.eq_any(actors));
    }
    if !filter.change_requests.is_empty() {
        let requests: Vec<i64> = filter.change_requests.iter().map(|id| id.0).collect();
        query = query.filter(events::change_request.eq_any(requests));
    }
    if !filter.texts.is_empty() {
        let any = names(&filter.texts).into_iter().map(contains).reduce(either);
        query = query.filter(any.unwrap_or_else(nothing));
    }
    if let Some(from) = filter.from {
        query = query.filter(events::created_at.ge(instant::to_stored(from)));
    }
    if let Some(before) = filter.before {
        query = query.filter(events::created_at.lt(instant::to_stored(before)));
    }
    query
}

diesel::define_sql_function! {
    /// A text with small letters: of ASCII in SQLite, of whatever the locale of the database knows in PostgreSQL.
    fn lower(text: Nullable<Text>) -> Nullable<Text>;
}

type Condition = Box<dyn BoxableExpression<events::table, AnyBackend, SqlType = Nullable<Bool>>>;

/// Whether what was or is contains a text, in whatever case.
fn contains(text: &str) -> Condition {
    let mut pattern = String::from("%");
    for letter in text.chars() {
        if matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    let data = lower(events::data).like(lower(pattern.clone())).escape('\\');
    let pre_data = lower(events::pre_data).like(lower(pattern)).escape('\\');
    Box::new(data.or(pre_data))
}

fn nothing() -> Condition {
    Box::new(events::id.nullable().lt(0))
}

fn either(left: Condition, right: Condition) -> Condition {
    Box::new(left.or(right))
}

/// Those that something stored can have: PostgreSQL refuses to be asked for a NUL character.
fn names<T: AsRef<str>>(names: &[T]) -> Vec<&str> {
    let names = names.iter().map(AsRef::as_ref);
    names.filter(|name| !name.contains('\0')).collect()
}

/// A number as the databases take it.
pub(crate) fn to_signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
