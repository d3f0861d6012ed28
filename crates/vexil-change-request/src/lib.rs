//! What a change is, what it does to a snapshot, and how a change request moves from draft to applied.
