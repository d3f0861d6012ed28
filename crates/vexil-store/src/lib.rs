//! What a feature-flag server needs of a database, a store in memory, and the suite every store must pass.
