//! What is the same for every engine: the flags, the lists, the user.

/// Flags that are measured: on for everybody, for half, for a list of ten, for a list of a thousand.
pub(crate) const FLAGS: [&str; 4] = ["default", "rollout", "in10", "in1000"];

/// The user's key, which each engine's rollout lets in.
pub(crate) const USER: &str = "user-42";

/// The salt of the peers' rollouts.
pub(crate) const SALT: &str = "salt-1";

/// The user's attributes.
pub(crate) const ATTRIBUTES: [(&str, &str); 6] = [
    ("country", "country-500"),
    ("plan", "plan-1"),
    ("email", "someone@example.com"),
    ("device", "phone-9"),
    ("age", "42"),
    ("version", "1.10.3"),
];

/// The countries of a list of `count`, the user's in the middle.
pub(crate) fn countries(count: usize) -> Vec<String> {
    let first = 500 - count / 2;
    (first..first + count)
        .map(|number| format!("country-{number}"))
        .collect()
}

/// The names of the thousand other flags, which are on for everybody.
pub(crate) fn others() -> impl Iterator<Item = String> {
    (0..1_000).map(|number| format!("team-{:02}.feature-{number:06}", number % 40))
}
