//! Change requests over HTTP.

mod applying;
mod audit;
mod configuration;
mod conflicts;
mod documents;
pub mod failing_store;
pub(crate) mod fixture;
mod parallel;
mod people;
mod proposing;
mod reading;
mod reported_faults;
mod schedules;
mod setbacks;
mod states;
