//! What the usage operation must say after SDKs have reported.

use std::collections::{BTreeMap, BTreeSet};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::decision::Decision;
use crate::http::Api;
use crate::outcome::Outcome;

/// How much of the documented answer a server gives, and how soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// All of it, and at once: a report that was accepted is stored.
    Complete,
    /// As Unleash does: some seconds later, without the flag's name and without variants.
    Unleash,
}

impl Reading {
    fn patience(self) -> Duration {
        match self {
            Reading::Complete => Duration::ZERO,
            Reading::Unleash => Duration::from_secs(15),
        }
    }
}

/// The counts of all reports so far, by flag.
#[derive(Debug, Default)]
pub(super) struct Expected {
    counts: BTreeMap<String, Counts>,
    applications: BTreeSet<&'static str>,
}

#[derive(Debug, Default)]
struct Counts {
    yes: u64,
    no: u64,
    variants: BTreeMap<String, u64>,
}

impl Expected {
    /// Adds what an SDK counts for one decision: the flag once for `isEnabled`, and the flag and its variant once for
    /// `getVariant`.
    pub(super) fn count(&mut self, application: &'static str, decision: &Decision) {
        self.applications.insert(application);
        let counts = self.counts.entry(decision.flag.clone()).or_default();
        if decision.enabled {
            counts.yes += 2;
        } else {
            counts.no += 2;
        }
        let variant = decision.variant["name"].as_str().unwrap_or_default().to_owned();
        *counts.variants.entry(variant).or_default() += 1;
    }

    /// Where the usage operation says anything else.
    pub(super) fn differences(
        &self,
        api: &Api,
        flags: BTreeSet<&str>,
        reading: Reading,
    ) -> Outcome<Vec<String>> {
        let deadline = Instant::now() + reading.patience();
        loop {
            let mut wrong = Vec::new();
            for flag in &flags {
                let answer = api.json("GET", &format!("/api/admin/client-metrics/features/{flag}"), None)?;
                let (said, expected) = (reading.comparable(&answer), self.answer(flag, reading));
                if said != expected {
                    wrong.push(format!("usage of {flag}: {said}, expected {expected}"));
                }
            }
            if wrong.is_empty() || Instant::now() >= deadline {
                return Ok(wrong);
            }
            sleep(Duration::from_millis(500));
        }
    }

    /// The answer for one flag.
    fn answer(&self, flag: &str, reading: Reading) -> Value {
        let empty = Counts::default();
        let counts = self.counts.get(flag).unwrap_or(&empty);
        let mut item = json!({ "environment": "development", "yes": counts.yes, "no": counts.no });
        if reading == Reading::Complete {
            item["featureName"] = json!(flag);
            item["variants"] = json!(counts.variants);
        }
        json!({
            "version": 1,
            "maturity": "stable",
            "featureName": flag,
            "lastHourUsage": [item],
            "seenApplications": self.applications,
        })
    }
}

impl Reading {
    /// An answer without what changes from run to run.
    fn comparable(self, answer: &Value) -> Value {
        let mut answer = answer.clone();
        for item in answer["lastHourUsage"].as_array_mut().into_iter().flatten() {
            if let Some(item) = item.as_object_mut() {
                item.remove("timestamp");
            }
        }
        answer
    }
}
