//! What failed, and what was left out.

use std::time::Instant;

use crate::outcome::{Outcome, is_missing};
use crate::program::strict;
use anyhow::Error;

/// What failed, and what was left out because this machine lacks something.
#[derive(Debug, Default)]
pub(crate) struct Report {
    failures: Vec<String>,
    left_out: Vec<String>,
}

impl Report {
    /// Notes how a step ended.
    pub(crate) fn record(&mut self, outcome: Outcome) {
        match outcome {
            Ok(()) => {}
            Err(error) if is_missing(&error) => self.left_out.push(format!("{error:#}")),
            Err(error) => {
                eprintln!("{error:#}");
                self.failures.push(format!("{error:#}"));
            }
        }
    }

    /// Does a step, says how long it took, and notes how it ended.
    pub(crate) fn step(&mut self, name: &str, task: impl FnOnce() -> Outcome) {
        let start = Instant::now();
        let outcome = task();
        println!("{} s: {name}", start.elapsed().as_secs());
        self.record(outcome);
    }

    /// Notes that `what` is left out when this machine lacks the means, and a failure when they do not work.
    pub(crate) fn unless_missing<T>(&mut self, what: &str, means: Outcome<T>) -> Option<T> {
        match means {
            Ok(means) => Some(means),
            Err(error) if is_missing(&error) => {
                self.left_out.push(format!("{what}: {error:#}"));
                None
            }
            Err(error) => {
                self.failures.push(format!("{what}: {error:#}"));
                None
            }
        }
    }

    /// Says what was left out and what failed; in CI to leave something out is to fail.
    pub(crate) fn close(self) -> Outcome {
        for left_out in &self.left_out {
            println!("LEFT OUT: {left_out}");
        }
        for failure in &self.failures {
            println!("FAILED: {}", failure.lines().next().unwrap_or_default());
        }
        match (self.failures.len(), self.left_out.len()) {
            (0, 0) => Ok(()),
            (0, _) if !strict() => Ok(()),
            (failed, left_out) => Err(Error::msg(format!(
                "{failed} steps failed, {left_out} were left out"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Report;
    use anyhow::Error;

    use crate::outcome::missing;

    #[test]
    fn what_fails_and_what_is_missing_are_told_apart() {
        let mut report = Report::default();
        report.record(Err(missing("no node")));
        report.record(Err(Error::msg("broken")));
        report.unless_missing::<()>("databases", Err(missing("no initdb")));
        assert_eq!(report.left_out, ["no node", "databases: no initdb"]);
        assert_eq!(report.failures, ["broken"]);
        assert!(report.close().is_err());
    }
}
