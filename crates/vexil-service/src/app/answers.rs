//! Storing what front-end endpoints decided, where it is counted.

use tokio::sync::oneshot;

use super::App;
use crate::answer_counts::{AnswerCounts, Counted, Whose};
use crate::operations::Error;

/// Counts on their way into the store.
pub struct Sent {
    whose: Whose,
    counted: Counted,
    answer: oneshot::Receiver<Result<(), Error>>,
}

opaque!(Sent);

impl App {
    /// The same application, in which the evaluations that front-end endpoints answer are counted as usage.
    #[must_use]
    pub fn with_counted_answers(self, counted: bool) -> Self {
        Self {
            counts_answers: counted,
            ..self
        }
    }

    /// Where the evaluations that front-end endpoints answer are counted, if they are.
    pub(crate) fn answer_counts(&self) -> Option<&AnswerCounts> {
        self.counts_answers.then_some(&self.shared.answer_counts)
    }

    /// Hands what was counted to the usage writer, which stores it while the result is kept.
    pub fn send_answer_counts(&self) -> Vec<Sent> {
        let mut sent = Vec::new();
        for (whose, counted) in self.shared.answer_counts.take() {
            let mut report = counted.report(&whose, self.now());
            let names = self.reported_names();
            let checked = names.check(&mut report, counted.token, &self.serving());
            let submitted = checked
                .map_err(Error::internal)
                .and_then(|()| self.usage_writer.send(report.pack()));
            match submitted {
                Ok(answer) => sent.push(Sent {
                    whose,
                    counted,
                    answer,
                }),
                Err(_) => self.shared.answer_counts.put_back(whose, counted),
            }
        }
        sent
    }

    /// Stores what was counted, on a thread that may block. What is not stored is tried again the next time.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn store_answer_counts(&self) -> Result<(), Error> {
        let mut outcome = Ok(());
        for Sent {
            whose,
            counted,
            answer,
        } in self.send_answer_counts()
        {
            let stored = answer.blocking_recv();
            match stored.unwrap_or_else(|_| Err(Error::unavailable("usage reports are no longer taken in"))) {
                Ok(()) => {}
                // it may be stored, and is not to be counted twice
                Err(error @ Error::UnknownOutcome { .. }) => outcome = Err(error),
                Err(error) => {
                    self.shared.answer_counts.put_back(whose, counted);
                    outcome = Err(error);
                }
            }
        }
        outcome
    }
}
