//! Bounds on what one request may cost.

use crate::deadlines::Deadlines;

/// Bounds on what one request may cost.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The largest request body, in bytes.
    pub body_bytes: usize,
    /// The most evaluations one playground question may cost.
    pub evaluations: u64,
    /// The most bytes that one playground answer may take.
    pub answer_bytes: u64,
    /// The most units of work that one request may cost; see [`vexil_budget`].
    pub work: u64,
    /// How many connections there may be at a time.
    pub connections: usize,
    /// How many of them may be kept open by those who listen to changes.
    pub streams: usize,
    /// How long anybody is waited for.
    pub deadlines: Deadlines,
}

/// Whoever has been idle for longest goes first, so some ten thousand clients that ask every quarter of a minute are well below it.
pub const CONNECTIONS: usize = 4096;

/// Half of the connections: whoever asks finds room, however many listen.
pub const STREAMS: usize = CONNECTIONS / 2;

/// About five seconds of one processor.
const WORK: u64 = 100_000_000;

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 1 << 20,
            evaluations: 250_000,
            answer_bytes: 512 << 20,
            work: WORK,
            connections: CONNECTIONS,
            streams: STREAMS,
            deadlines: Deadlines::default(),
        }
    }
}
