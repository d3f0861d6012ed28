//! Where something stands in a document, as a way from its root. Places inside others share their beginning.

use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;

/// A name in a path is cut to so many bytes.
const LONGEST_NAME: usize = 100;

/// Where something stands in a document. As text it is a JSON pointer (RFC 6901) with long names cut short.
#[derive(Debug, Clone)]
pub(super) struct Place<'a>(Rc<Step<'a>>);

#[derive(Debug)]
enum Step<'a> {
    Root(String),
    Member(Place<'a>, Cow<'a, str>),
    Item(Place<'a>, usize),
}

impl<'a> Place<'a> {
    pub(super) fn root(path: &str) -> Self {
        Self(Rc::new(Step::Root(path.to_owned())))
    }

    pub(super) fn member(&self, name: Cow<'a, str>) -> Self {
        Self(Rc::new(Step::Member(self.clone(), name)))
    }

    pub(super) fn item(&self, index: usize) -> Self {
        Self(Rc::new(Step::Item(self.clone(), index)))
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut way = Vec::new();
        let mut place = self;
        loop {
            way.push(&*place.0);
            match &*place.0 {
                Step::Root(_) => break,
                Step::Member(parent, _) | Step::Item(parent, _) => place = parent,
            }
        }
        way.iter().rev().try_for_each(|step| match step {
            Step::Root(path) => f.write_str(path),
            Step::Member(_, name) => write!(f, "/{}", short(name).replace('~', "~0").replace('/', "~1")),
            Step::Item(_, index) => write!(f, "/{index}"),
        })
    }
}

/// A name, cut where it is long.
pub(super) fn short(name: &str) -> Cow<'_, str> {
    if name.len() <= LONGEST_NAME {
        return Cow::Borrowed(name);
    }
    let end = (0..=LONGEST_NAME)
        .rev()
        .find(|&end| name.is_char_boundary(end))
        .unwrap_or(0);
    Cow::Owned(format!("{}…", name.get(..end).unwrap_or_default()))
}
