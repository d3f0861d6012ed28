//! Places of a document that say the same thing: where they differ, one would win and the other be passed over unseen.

use std::collections::BTreeSet;

use super::{Node, Problems};

/// Refuses all but one of places of which each says `what` in its own way, such as `which flags are meant`.
pub fn at_most_one(problems: &mut Problems, what: &str, places: &[Node<'_>]) {
    let mut given = places.iter().filter(|place| !place.is_absent());
    let Some(first) = given.next() else {
        return;
    };
    for other in given {
        let (path, first) = (other.path(), first.path());
        let message = format!(
            "The `{path}` property says {what}, and so does `{first}`: one would be passed over. Send one of them."
        );
        problems.add(path, message);
    }
}

/// Refuses what stands at `second` where it is something else than what stands at `first`, and both are given.
pub fn same_where_given(problems: &mut Problems, first: &Node<'_>, second: &Node<'_>) {
    let (Some(one), Some(other)) = (first.value(), second.value()) else {
        return;
    };
    if one != other {
        let (path, first) = (second.path(), first.path());
        problems.add(
            path,
            format!("The `{path}` property must be the same as `{first}`."),
        );
    }
}

/// Refuses a list in which something is named twice that can be said one thing of.
pub fn refuse_repeated<'n>(
    list: &Node<'_>,
    what: &str,
    names: impl Iterator<Item = &'n str>,
    problems: &mut Problems,
) {
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            let path = list.path();
            problems.add(
                path,
                format!("The `{path}` property names the {what} `{name}` more than once: one would be passed over."),
            );
        }
    }
}
