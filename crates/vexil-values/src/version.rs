//! Semantic versions, compared by precedence (<https://semver.org>, sections 2, 9, 10 and 11).

use std::cmp::Ordering;
use std::fmt;

/// A semantic version, borrowed from its text. Build metadata has no say in precedence, so it is not kept,
/// and versions that differ in nothing else are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Version<'a> {
    core: [u64; 3],
    pre: &'a str,
}

impl<'a> Version<'a> {
    /// Reads `major.minor.patch`, optionally followed by `-` and a pre-release, and by `+` and build
    /// metadata. Strict: no leading `v`, no blanks, no leading zeros, all three numbers below 2^64.
    #[inline]
    #[must_use]
    pub fn parse(text: &'a str) -> Option<Self> {
        let (major, rest) = component(text.as_bytes())?;
        let (minor, rest) = component(rest.strip_prefix(b".")?)?;
        let (patch, rest) = component(rest.strip_prefix(b".")?)?;
        let core = [major, minor, patch];
        if rest.is_empty() {
            return Some(Self { core, pre: "" });
        }
        let pre = pre_release(text.get(text.len() - rest.len()..)?)?;
        Some(Self { core, pre })
    }

    /// The version of these numbers and this pre-release, empty for none; `None` where that is no pre-release.
    #[must_use]
    pub fn of(core: [u64; 3], pre: &'a str) -> Option<Self> {
        let well_formed = pre.is_empty() || is_pre_release(pre);
        well_formed.then_some(Self { core, pre })
    }

    /// Major, minor and patch.
    #[must_use]
    pub fn core(&self) -> [u64; 3] {
        self.core
    }

    /// The pre-release, such as `beta.2`; empty where there is none.
    #[must_use]
    pub fn pre(&self) -> &'a str {
        self.pre
    }
}

/// By precedence.
impl Ord for Version<'_> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let ([major, minor, patch], [other_major, other_minor, other_patch]) = (self.core, other.core);
        major
            .cmp(&other_major)
            .then(minor.cmp(&other_minor))
            .then(patch.cmp(&other_patch))
            .then_with(|| match (self.pre.is_empty(), other.pre.is_empty()) {
                (true, true) => Ordering::Equal,
                (true, false) => Ordering::Greater,
                (false, true) => Ordering::Less,
                (false, false) => compare_pre_releases(self.pre, other.pre),
            })
    }
}

impl PartialOrd for Version<'_> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Version<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.core;
        write!(f, "{major}.{minor}.{patch}")?;
        match self.pre {
            "" => Ok(()),
            pre => write!(f, "-{pre}"),
        }
    }
}

#[inline(never)]
fn compare_pre_releases(one: &str, other: &str) -> Ordering {
    one.split('.')
        .map(Identifier)
        .cmp(other.split('.').map(Identifier))
}

/// The pre-release, empty where there is none, of what follows the three numbers.
#[inline(never)]
fn pre_release(rest: &str) -> Option<&str> {
    let (rest, build) = match rest.split_once('+') {
        Some((rest, build)) => (rest, Some(build)),
        None => (rest, None),
    };
    let pre = match rest {
        "" => None,
        rest => Some(rest.strip_prefix('-')?),
    };
    let well_formed =
        pre.is_none_or(is_pre_release) && build.is_none_or(|build| build.split('.').all(identifier));
    well_formed.then_some(pre.unwrap_or(""))
}

fn is_pre_release(text: &str) -> bool {
    text.split('.').all(|part| identifier(part) && !padded(part))
}

/// A version that owns its text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VersionBuf {
    core: [u64; 3],
    pre: Box<str>,
}

impl VersionBuf {
    /// The same, borrowed.
    #[inline]
    #[must_use]
    pub fn borrowed(&self) -> Version<'_> {
        Version {
            core: self.core,
            pre: &self.pre,
        }
    }
}

impl From<Version<'_>> for VersionBuf {
    fn from(version: Version<'_>) -> Self {
        Self {
            core: version.core,
            pre: version.pre.into(),
        }
    }
}

impl fmt::Display for VersionBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.borrowed().fmt(f)
    }
}

/// A number without leading zeros, and what follows it.
#[inline]
fn component(text: &[u8]) -> Option<(u64, &[u8])> {
    let (first, mut rest) = text.split_first()?;
    let mut number = digit(*first)?;
    while let Some((next, after)) = rest.split_first()
        && let Some(next) = digit(*next)
    {
        if number == 0 {
            return None;
        }
        number = number.checked_mul(10)?.checked_add(next)?;
        rest = after;
    }
    Some((number, rest))
}

#[inline]
fn digit(byte: u8) -> Option<u64> {
    let digit = byte.wrapping_sub(b'0');
    (digit < 10).then_some(u64::from(digit))
}

fn identifier(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn numeric(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn padded(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0') && numeric(text)
}

/// A part of a pre-release. Numbers compare as numbers of any size and come before text.
#[derive(PartialEq, Eq)]
struct Identifier<'a>(&'a str);

impl Ord for Identifier<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (numeric(self.0), numeric(other.0)) {
            (true, true) => self.0.len().cmp(&other.0.len()).then_with(|| self.0.cmp(other.0)),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self.0.cmp(other.0),
        }
    }
}

impl PartialOrd for Identifier<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests;
