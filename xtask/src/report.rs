//! What failed, and what was left out.

use crate::failure::{Failure, Outcome};
use crate::program::strict;

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
            Err(failure) if failure.is_missing() => self.left_out.push(failure.to_string()),
            Err(failure) => {
                eprintln!("{failure}");
                self.failures.push(failure.to_string());
            }
        }
    }

    /// Notes that `what` is left out when this machine lacks the means, and a failure when they do not work.
    pub(crate) fn unless_missing<T>(&mut self, what: &str, means: Outcome<T>) -> Option<T> {
        match means {
            Ok(means) => Some(means),
            Err(failure) if failure.is_missing() => {
                self.left_out.push(format!("{what}: {failure}"));
                None
            }
            Err(failure) => {
                self.failures.push(format!("{what}: {failure}"));
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
            (failed, left_out) => Err(Failure::new(format!(
                "{failed} steps failed, {left_out} were left out"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Report;
    use crate::failure::Failure;

    #[test]
    fn what_fails_and_what_is_missing_are_told_apart() {
        let mut report = Report::default();
        report.record(Err(Failure::missing("no node")));
        report.record(Err(Failure::new("broken")));
        report.unless_missing::<()>("databases", Err(Failure::missing("no initdb")));
        assert_eq!(report.left_out, ["no node", "databases: no initdb"]);
        assert_eq!(report.failures, ["broken"]);
        assert!(report.close().is_err());
    }
}
