//! What the provider says of somebody.

use std::collections::{BTreeMap, BTreeSet};

use openidconnect::AdditionalClaims;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Claims beside the usual ones, whatever they are.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct ExtraClaims(BTreeMap<String, Value>);

impl AdditionalClaims for ExtraClaims {}

/// Who somebody is, as the provider says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Which provider says so.
    pub(crate) issuer: String,
    /// What it calls them: the same for ever, and nobody else's.
    pub(crate) subject: String,
    /// Their email address, where the provider has made sure that it is theirs.
    pub(crate) verified_email: Option<String>,
    /// What they call themselves.
    pub(crate) username: Option<String>,
    /// Their name.
    pub(crate) name: Option<String>,
    /// The groups they are in; `None` where groups are not taken over.
    pub(crate) groups: Option<BTreeSet<String>>,
}

impl ExtraClaims {
    /// The texts that a claim lists; a path has dots between its parts. `None` where there is no such claim.
    pub(super) fn listed(&self, path: &str) -> Option<BTreeSet<String>> {
        let found = self.0.get(path).or_else(|| {
            let mut parts = path.split('.');
            let first = self.0.get(parts.next()?)?;
            parts.try_fold(first, |value, part| value.get(part))
        })?;
        Some(match found {
            Value::Array(items) => items
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            Value::String(one) => BTreeSet::from([one.clone()]),
            _ => BTreeSet::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn groups_are_found_by_name_and_by_path() {
        let claims = json!({
            "groups": ["a", "b", 7],
            "realm_access": { "roles": ["c"] },
            "https://example.com/groups": "d",
            "other": 1,
        });
        let claims: ExtraClaims = serde_json::from_value(claims).unwrap();
        let listed = |path| {
            claims
                .listed(path)
                .map(|found| found.into_iter().collect::<Vec<_>>())
        };
        let some = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(listed("groups"), some(&["a", "b"]));
        assert_eq!(listed("realm_access.roles"), some(&["c"]));
        assert_eq!(listed("https://example.com/groups"), some(&["d"]));
        assert_eq!(listed("other"), some(&[]));
        assert_eq!(listed("realm_access.nothing"), None);
        assert_eq!(listed("nothing"), None);
    }
}
