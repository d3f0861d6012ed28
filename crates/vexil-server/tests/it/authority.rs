//! Authority: judged by what an edit touches, and by who may do what when it takes effect.

mod approvals;
mod every_write;
mod people;
mod reach;
mod scene;
mod told;
mod walks;
