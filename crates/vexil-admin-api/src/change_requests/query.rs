//! What can be asked about change requests, in the query of an address.

use serde_json::Value;
use vexil_change_request::State;
use vexil_domain::{ActorId, FlagName, StrategyId};

use vexil_client_api::json::{Problem, Problems};

/// `GET …/change-requests/scheduled`: scheduled requests that touch any of these.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScheduledQuery {
    /// Flags that a request changes.
    pub flags: Vec<FlagName>,
    /// Strategies that a request updates, moves or removes.
    pub strategies: Vec<StrategyId>,
    /// Flags whose variants a request replaces.
    pub variants_of: Vec<FlagName>,
}

impl ScheduledQuery {
    /// Reads the query from its pairs. What is not known is passed over.
    #[must_use]
    pub fn read(pairs: &[(String, String)]) -> Self {
        let mut query = Self::default();
        for (key, value) in pairs {
            match key.trim_end_matches("[]") {
                "feature" => query.flags.push(value.as_str().into()),
                "strategyId" => query.strategies.push(value.as_str().into()),
                "variantForFlag" => query.variants_of.push(value.as_str().into()),
                _ => {}
            }
        }
        query
    }
}

/// `GET /api/admin/search/change-requests`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchQuery {
    /// By this author.
    pub created_by: Option<ActorId>,
    /// With this person among those asked to review.
    pub requested_reviewer: Option<ActorId>,
    /// In one of these states; empty for all.
    pub states: Vec<State>,
    /// Leaves out so many of the newest.
    pub offset: u64,
    /// At most so many, 1 to 1000.
    pub limit: u64,
}

impl SearchQuery {
    /// Reads the query from its pairs. What is not known is passed over; of what is said twice the last counts.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    pub fn read(pairs: &[(String, String)]) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::new();
        let mut query = Self {
            created_by: None,
            requested_reviewer: None,
            states: Vec::new(),
            offset: 0,
            limit: 50,
        };
        for (key, value) in pairs {
            match key.as_str() {
                "createdBy" => query.created_by = read_person(key, value, &mut problems),
                "requestedApproverId" => query.requested_reviewer = read_person(key, value, &mut problems),
                "state" => query.states = read_states(value, &mut problems),
                "offset" => query.offset = read_number(key, value, 0, i64::MAX as u64, &mut problems),
                "limit" => query.limit = read_number(key, value, 1, 1000, &mut problems),
                // there is one order
                "sortBy" => check_word(key, value, "createdAt", &mut problems),
                "sortOrder" => check_word(key, value, "desc", &mut problems),
                _ => {}
            }
        }
        problems.finish(Some(query))
    }
}

fn check_word(key: &str, value: &str, known: &str, problems: &mut Problems) {
    if value != known {
        let path = format!("/query/{key}");
        problems.refuse(&path, &format!("must be {known}"), &Value::from(value));
    }
}

fn read_person(key: &str, value: &str, problems: &mut Problems) -> Option<ActorId> {
    let id = value
        .strip_prefix("IS:")
        .and_then(|text| text.trim().parse::<i64>().ok());
    if id.is_none() {
        let path = format!("/query/{key}");
        problems.add(
            &path,
            format!("The `{path}` property must be of the form \"IS:<user id>\". You sent \"{value}\"."),
        );
    }
    id.map(ActorId)
}

fn read_states(value: &str, problems: &mut Problems) -> Vec<State> {
    let wanted: fn(State) -> bool = match value {
        "IS:open" => State::is_open,
        "IS:closed" => State::is_closed,
        _ => {
            problems.add(
                "/query/state",
                format!(
                    "The `/query/state` property must be \"IS:open\" or \"IS:closed\". You sent \"{value}\"."
                ),
            );
            return Vec::new();
        }
    };
    State::ALL
        .iter()
        .copied()
        .filter(|state| wanted(*state))
        .collect()
}

fn read_number(key: &str, value: &str, low: u64, high: u64, problems: &mut Problems) -> u64 {
    match value.trim().parse::<u64>() {
        Ok(number) if (low..=high).contains(&number) => number,
        _ => {
            let path = format!("/query/{key}");
            let rule = if high == i64::MAX as u64 {
                format!("must be an integer >= {low}")
            } else {
                format!("must be an integer from {low} to {high}")
            };
            problems.add(
                &path,
                format!("The `{path}` property {rule}. You sent \"{value}\"."),
            );
            low
        }
    }
}
