//! What every store must do, as tests.
//!
//! A store's crate calls [`store_conformance!`](crate::store_conformance) in a test module, with a
//! function that opens an empty store; each case becomes one `#[test]`.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed assertion is what a test is for"
)]

pub mod access;
pub mod applications;
pub mod change_requests;
pub mod commits;
pub mod configuration;
pub mod durability;
pub mod events;
pub mod following;
pub mod marks;
pub mod sample;
mod sample_change_request;
mod sample_tags;
mod sample_upkeep;
pub mod sign_ins;
pub mod texts;
pub mod tokens;
pub mod usage;
pub mod usage_over_time;
mod usage_rows;
pub mod users;

use std::fmt;

use crate::{ApiToken, Store, User};

/// An empty store to be tested, with a way to open it again where it outlives the process.
pub struct Subject {
    store: Box<dyn Store>,
    again: Option<Box<dyn Fn() -> Box<dyn Store>>>,
}

impl Subject {
    /// A store that is gone when dropped.
    #[must_use]
    pub fn fleeting(store: impl Store + 'static) -> Self {
        Self {
            store: Box::new(store),
            again: None,
        }
    }

    /// A store that outlives the process, opened by `open` now and any number of times later. What
    /// `open` owns (a temporary folder, say) lives as long as the subject.
    #[must_use]
    pub fn lasting<S: Store + 'static>(open: impl Fn() -> S + 'static) -> Self {
        Self {
            store: Box::new(open()),
            again: Some(Box::new(move || Box::new(open()))),
        }
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// Opens the store once more, while the first is open too. `None` where it is fleeting.
    #[must_use]
    pub fn another(&self) -> Option<Box<dyn Store>> {
        self.again.as_ref().map(|open| open())
    }

    /// Closes the store and opens it again. `None` where it is fleeting.
    #[must_use]
    pub fn reopened(mut self) -> Option<Self> {
        let open = self.again.take()?;
        drop(self.store);
        Some(Self {
            store: open(),
            again: Some(open),
        })
    }
}

/// The API tokens of a store, by id.
fn tokens_of(store: &(impl Store + ?Sized)) -> Vec<ApiToken> {
    let tokens = store.load().unwrap().tokens;
    tokens.values().map(|token| ApiToken::clone(token)).collect()
}

/// The users of a store, by id.
fn users_of(store: &(impl Store + ?Sized)) -> Vec<User> {
    let users = store.load().unwrap().users;
    users.values().map(|user| User::clone(user)).collect()
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subject")
            .field("lasting", &self.again.is_some())
            .finish_non_exhaustive()
    }
}

/// Makes one `#[test]` of each conformance case. `$open` is a function without arguments that gives
/// `Option<Subject>`: a [`Subject`](crate::conformance::Subject) with an empty store, or `None` where
/// the database is not available and that is acceptable; then the tests pass without doing anything.
#[macro_export]
macro_rules! store_conformance {
    ($open:expr) => {
        $crate::store_conformance! { @cases $open;
            access {
                every_field_of_roles_groups_and_settings_comes_back
                roles_groups_and_settings_are_replaced_and_taken_away
                roles_groups_and_settings_are_followed_with_credentials
                a_stale_commit_leaves_roles_groups_and_settings_alone
                nul_in_roles_groups_and_settings_is_refused
            }
            applications {
                a_registration_is_read_back_whole
                a_later_registration_replaces_an_earlier_one
                instances_are_read_by_application_in_order_of_key
                instances_not_heard_of_are_forgotten
                registrations_of_one_instance_may_come_all_at_once
                a_poorer_registration_wipes_nothing
                instances_go_with_their_environment
            }
            change_requests {
                every_field_of_a_change_request_comes_back
                any_change_request_comes_back
                a_change_request_is_replaced_and_taken_away
                filters_find_what_they_name
                pages_are_newest_first_without_gaps
                an_author_has_one_pending_change_request_per_project_and_environment
                scheduled_and_closed_change_requests_do_not_count_as_pending
                one_commit_may_close_a_change_request_and_open_the_next
                a_second_pending_change_request_leaves_no_trace
            }
            commits {
                a_commit_makes_the_next_revision
                a_stale_commit_is_refused_and_changes_nothing
                of_parallel_commits_on_one_revision_exactly_one_wins
                parallel_editors_that_retry_all_get_through
                counters_are_kept
                readers_never_see_half_a_commit
            }
            configuration {
                a_new_store_is_empty
                every_field_of_a_snapshot_comes_back
                any_snapshot_comes_back
                any_series_of_edits_leads_to_the_last_snapshot
                a_value_replaces_the_one_of_the_same_key
                taking_away_what_is_not_there_is_no_error
                the_order_of_lists_is_kept
                instants_are_kept_to_the_microsecond
            }
            durability {
                another_connection_sees_what_was_committed
                everything_is_there_after_closing_and_opening
            }
            events {
                every_field_of_an_event_comes_back
                events_are_numbered_in_the_order_of_commits
                a_filter_with_a_nul_character_finds_nothing
                a_text_is_found_in_what_was_and_in_what_is
                filters_find_what_they_name
                pages_are_newest_first_and_know_the_total
            }
            sign_ins {
                every_field_of_a_session_comes_back
                sessions_end_one_by_one_or_all_at_once
                use_of_a_session_is_noted_without_a_revision
                a_link_comes_back_until_it_is_used_up
                old_sessions_and_links_are_forgotten
                a_stale_commit_begins_and_ends_no_session
                nul_in_a_session_is_refused
            }
            marks {
                a_revision_has_the_mark_of_its_commit
                a_commit_after_another_one_of_the_same_number_is_stale
            }
            following {
                changes_lead_from_any_earlier_state_to_the_present_one
                what_was_touched_comes_as_it_is_now
                where_nothing_changed_nothing_comes
                a_state_that_never_was_cannot_be_followed
                credentials_are_followed_by_themselves
                other_connections_follow_too
                an_environment_has_the_revision_of_the_last_commit_that_names_it
                an_edit_in_turn_is_never_overtaken
                an_edit_in_turn_may_give_nothing
                whether_a_commit_was_carried_out_can_be_asked
            }
            texts {
                names_may_hold_any_characters
                names_differ_by_every_byte
                names_may_be_long
                nul_is_refused_everywhere_before_anything_is_written
                names_that_are_too_long_are_refused
                lists_may_hold_any_text
            }
            tokens {
                every_field_of_a_token_comes_back
                a_token_is_replaced_and_taken_away
                a_secret_belongs_to_one_token
                use_of_a_token_is_noted_without_a_revision
                a_commit_never_sets_back_when_a_token_was_used
            }
            usage {
                rows_come_back_by_flag_width_and_start
                adding_twice_counts_twice
                a_batch_that_is_appended_again_counts_once
                a_report_that_was_stored_under_its_name_is_known
                counts_stop_at_the_greatest_one
                a_batch_adds_what_its_reports_would_add_one_by_one
                applications_are_seen_in_order_of_their_bytes
                flags_are_last_seen_when_anybody_reported_them
                flags_that_are_not_configured_are_known_by_their_reports
                a_refused_batch_adds_nothing
                usage_makes_no_revision
            }
            usage_over_time {
                writers_and_folders_at_the_same_time_lose_and_double_nothing
                folding_may_stop_and_go_on_elsewhere_after_every_step
                old_counts_become_coarser_and_go_in_the_end
                a_short_retention_deletes_minutes
                tidying_and_adding_at_the_same_time_lose_nothing
                usage_goes_with_the_flag_or_environment_that_it_is_of
            }
            users {
                every_field_of_a_user_comes_back
                a_user_is_replaced_and_taken_away_with_everything
                what_users_hold_is_kept_apart
                being_seen_is_noted_without_a_revision
                a_commit_never_sets_back_when_a_user_was_seen
                a_stale_commit_leaves_users_alone
                nul_in_a_user_is_refused
            }
        }
    };
    (@cases $open:expr; $($module:ident { $($case:ident)* })*) => {
        $(mod $module {
            #[allow(unused_imports, reason = "the function that opens may be given by any path")]
            use super::*;

            $(#[test]
            fn $case() {
                if let Some(subject) = $open() {
                    $crate::conformance::$module::$case(subject);
                }
            })*
        })*
    };
}
