//! Authority: judged by what an edit touches, and by who may do what when it takes effect.

mod approvals;
mod people;
mod reach;
mod scene;
mod walks;
