//! The quick way through a report: plain documents only, straight from the text.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use vexil_metrics::{Count, Counts};

use super::fields::{NameRule, instant_of_integer};
use super::report::UsageReport;

impl UsageReport {
    /// Reads a report from the text of a request body, at the speed that a busy server needs.
    /// `None` says nothing about the document: [`UsageReport::read`] then decides, and knows why.
    /// Names may have up to `longest_name` bytes.
    #[must_use]
    pub fn read_fast(text: &[u8], longest_name: usize) -> Option<Self> {
        read(
            text,
            NameRule {
                longest: longest_name,
            },
        )
    }
}

fn read(text: &[u8], names: NameRule) -> Option<UsageReport> {
    let document: Document<'_> = serde_json::from_slice(text).ok()?;
    let application = document.app_name.0.into_owned();
    if application.is_empty() || !names.admits(&application) {
        return None;
    }
    let Some(bucket) = document.bucket else {
        return Some(UsageReport {
            application,
            stop: None,
            flags: Vec::new(),
        });
    };
    let mut flags = Vec::with_capacity(bucket.toggles.0.len());
    for (name, toggle) in bucket.toggles.0 {
        if !names.admits(&name) {
            return None;
        }
        let mut counts = Counts {
            yes: toggle.yes.of(),
            no: toggle.no.of(),
            ..Counts::default()
        };
        for (variant, times) in toggle.variants.map(|variants| variants.0).unwrap_or_default() {
            if !names.admits(&variant) {
                return None;
            }
            counts.variants.insert(variant.into_owned(), times.of());
        }
        flags.push((name.as_ref().into(), counts));
    }
    Some(UsageReport {
        application,
        stop: Some(bucket.stop.0),
        flags,
    })
}

#[derive(Deserialize)]
struct Document<'a> {
    #[serde(rename = "appName", borrow)]
    app_name: Text<'a>,
    #[serde(borrow, default)]
    bucket: Option<Bucket<'a>>,
}

#[derive(Deserialize)]
struct Bucket<'a> {
    #[serde(rename = "start")]
    _start: Instant,
    stop: Instant,
    #[serde(borrow)]
    toggles: Members<'a, Toggle<'a>>,
}

#[derive(Deserialize)]
struct Toggle<'a> {
    #[serde(default)]
    yes: Option<Number>,
    #[serde(default)]
    no: Option<Number>,
    #[serde(borrow, default)]
    variants: Option<Members<'a, Option<Number>>>,
}

/// Text that is borrowed where it can be.
#[derive(PartialEq)]
struct Text<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Visit)
    }
}

/// The members of an object, in order. The same key twice is for the careful way to decide.
struct Members<'a, T>(Vec<(Cow<'a, str>, T)>);

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Members<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Visit<T> {
            type Value = Members<'de, T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((key, value)) = map.next_entry::<Text<'de>, T>()? {
                    members.push((key.0, value));
                }
                let mut keys: Vec<&str> = members.iter().map(|(key, _)| key.as_ref()).collect();
                keys.sort_unstable();
                if keys.is_sorted_by(|a, b| a < b) {
                    Ok(Members(members))
                } else {
                    Err(A::Error::custom("twice"))
                }
            }
        }
        deserializer.deserialize_map(Visit(std::marker::PhantomData))
    }
}

/// A count within its bounds.
#[derive(Clone, Copy)]
struct Number(Count);

trait OrNone {
    fn of(self) -> Count;
}

impl OrNone for Option<Number> {
    fn of(self) -> Count {
        self.map(|number| number.0).unwrap_or_default()
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u64::deserialize(deserializer)?;
        if number > Count::MAX.get() {
            return Err(D::Error::custom("too many"));
        }
        Ok(Self(Count::new(number)))
    }
}

struct Instant(OffsetDateTime);

impl<'de> Deserialize<'de> for Instant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl Visitor<'_> for Visit {
            type Value = Instant;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a date-time")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Instant, E> {
                OffsetDateTime::parse(text, &Rfc3339)
                    .map(Instant)
                    .map_err(E::custom)
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Instant, E> {
                instant_of_integer(number)
                    .map(Instant)
                    .ok_or_else(|| E::custom("out of range"))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Instant, E> {
                i64::try_from(number)
                    .map_err(E::custom)
                    .and_then(|number| self.visit_i64(number))
            }
        }
        deserializer.deserialize_any(Visit)
    }
}
