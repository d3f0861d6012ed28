//! What goes with a request: its title, comments, and who is asked for a review.

use time::OffsetDateTime;
use vexil_domain::ActorId;

use crate::Step;
use crate::{
    Caller, ChangeRequest, Comment, CommentId, EarlierTitle, Event, EventKind, Retitled, State, StepError,
};

/// The most characters that a comment may have.
pub const MOST_COMMENT_CHARACTERS: usize = 1000;
/// The most characters that a title may have.
pub const MOST_TITLE_CHARACTERS: usize = 255;
/// How many titles that it had are kept with a request.
pub const MOST_EARLIER_TITLES: usize = 20;
/// The most people that can be asked for a review.
pub const MOST_REVIEWERS: usize = 10;

impl ChangeRequest {
    /// Gives the request a title; a blank one takes the title away. Approvals stay, since they are for an effect;
    /// what the request was called before is kept once it is no draft any more. The title that it has already
    /// changes nothing.
    ///
    /// # Errors
    ///
    /// When the request is closed, `who` is neither its author nor an admin, or the title is too long.
    pub fn rename(&self, title: &str, who: &Caller, now: OffsetDateTime) -> Result<Step, StepError> {
        self.check_own_and_open("rename it", who)?;
        let title = title.trim();
        let given = title.chars().count();
        if given > MOST_TITLE_CHARACTERS {
            return Err(StepError::TitleLength {
                given,
                most: MOST_TITLE_CHARACTERS,
            });
        }
        let mut request = self.clone();
        let title = (!title.is_empty()).then(|| title.to_owned());
        if title == self.title {
            return Ok(Step {
                request,
                events: Vec::new(),
            });
        }
        request.title.clone_from(&title);
        if self.state != State::Draft {
            request.keep_title(self.title.clone(), who, now);
        }
        let event = Event {
            retitled: Some(Retitled {
                from: self.title.clone(),
                to: title,
            }),
            ..self.event(EventKind::TitleUpdated, who)
        };
        Ok(Step {
            request,
            events: vec![event],
        })
    }

    /// Adds a comment. Anybody who sees the request may, in any state.
    ///
    /// # Errors
    ///
    /// When the comment is empty or too long.
    pub fn comment(
        &self,
        id: CommentId,
        text: &str,
        who: &Caller,
        now: OffsetDateTime,
    ) -> Result<Step, StepError> {
        let text = text.trim();
        let given = text.chars().count();
        if !(1..=MOST_COMMENT_CHARACTERS).contains(&given) {
            return Err(StepError::CommentLength {
                given,
                most: MOST_COMMENT_CHARACTERS,
            });
        }
        let mut request = self.clone();
        request.comments.push(Comment {
            id,
            text: text.to_owned(),
            created_by: who.actor.clone(),
            created_at: now,
        });
        Ok(Step {
            request,
            events: Vec::new(),
        })
    }

    /// Asks these people for a review, in place of those asked before. It does not bind who may approve.
    ///
    /// # Errors
    ///
    /// When the request is closed, `who` is neither its author nor an admin, or too many are named.
    pub fn request_reviewers(&self, reviewers: &[ActorId], who: &Caller) -> Result<Step, StepError> {
        self.check_own_and_open("ask for reviews", who)?;
        let mut distinct: Vec<ActorId> = Vec::new();
        for reviewer in reviewers {
            if !distinct.contains(reviewer) {
                distinct.push(*reviewer);
            }
        }
        if distinct.len() > MOST_REVIEWERS {
            return Err(StepError::TooManyReviewers {
                given: distinct.len(),
                most: MOST_REVIEWERS,
            });
        }
        let mut request = self.clone();
        request.requested_reviewers = distinct;
        let event = self.event(EventKind::RequestedApproversUpdated, who);
        Ok(Step {
            request,
            events: vec![event],
        })
    }

    fn keep_title(&mut self, title: Option<String>, who: &Caller, now: OffsetDateTime) {
        if self.earlier_titles.len() >= MOST_EARLIER_TITLES {
            self.earlier_titles.remove(0);
        }
        self.earlier_titles.push(EarlierTitle {
            title,
            until: now,
            by: who.actor.clone(),
        });
    }

    fn check_own_and_open(&self, step: &'static str, who: &Caller) -> Result<(), StepError> {
        if self.state.is_closed() {
            return Err(StepError::WrongState {
                step,
                state: self.state,
            });
        }
        if !who.admin && !who.is_author(self) {
            return Err(StepError::NotAuthorOrAdmin { step });
        }
        Ok(())
    }
}
