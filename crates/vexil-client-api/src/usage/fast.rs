//! The quick way through a report: plain documents only, straight from the text into packed counts.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use time::OffsetDateTime;
use vexil_metrics::{Count, FlagCounts};

use super::fields::{NameRule, Unfit, instant_of_integer, instant_of_text};
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
                unfit: Unfit::Refused,
            },
        )
    }
}

fn read(text: &[u8], names: NameRule) -> Option<UsageReport> {
    // checked once as a whole, which is quicker than name by name
    let text = str::from_utf8(text).ok()?;
    let mut counts = FlagCounts::with_capacity(text.len());
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let seed = Document {
        names,
        counts: &mut counts,
    };
    let (application, stop) = seed.deserialize(&mut deserializer).ok()?;
    deserializer.end().ok()?;
    let application = application.filter(|name| !name.is_empty())?;
    Some(UsageReport {
        application,
        stop,
        counts,
    })
}

/// The whole document: the application, and the end of the time that it covers.
struct Document<'c> {
    names: NameRule,
    counts: &'c mut FlagCounts,
}

impl<'de> DeserializeSeed<'de> for Document<'_> {
    type Value = (Option<String>, Option<OffsetDateTime>);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document<'_> {
    type Value = (Option<String>, Option<OffsetDateTime>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a report")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut application, mut stop) = (None, None);
        let mut bucket_seen = false;
        while let Some(key) = map.next_key::<Text<'de>>()? {
            match key.0.as_ref() {
                "appName" if application.is_none() => {
                    let name: Text<'de> = map.next_value()?;
                    if !self.names.admits(&name.0) {
                        return Err(A::Error::custom("a name"));
                    }
                    application = Some(name.0.into_owned());
                }
                "bucket" if !bucket_seen => {
                    bucket_seen = true;
                    let bucket = Bucket {
                        names: self.names,
                        counts: self.counts,
                    };
                    stop = map.next_value_seed(bucket)?;
                }
                "appName" | "bucket" => return Err(A::Error::custom("twice")),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok((application, stop))
    }
}

/// What was counted, and until when; nothing where it is `null`.
struct Bucket<'c> {
    names: NameRule,
    counts: &'c mut FlagCounts,
}

impl<'de> DeserializeSeed<'de> for Bucket<'_> {
    type Value = Option<OffsetDateTime>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for Bucket<'_> {
    type Value = Option<OffsetDateTime>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a bucket")
    }

    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut start, mut stop, mut toggles) = (None, None, false);
        while let Some(key) = map.next_key::<Text<'de>>()? {
            match key.0.as_ref() {
                "start" if start.is_none() => start = Some(map.next_value::<Instant>()?),
                "stop" if stop.is_none() => stop = Some(map.next_value::<Instant>()?),
                "toggles" if !toggles => {
                    toggles = true;
                    let members = Toggles {
                        names: self.names,
                        counts: self.counts,
                    };
                    map.next_value_seed(members)?;
                }
                "start" | "stop" | "toggles" => return Err(A::Error::custom("twice")),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        match (start, stop, toggles) {
            (Some(_), Some(stop), true) => Ok(Some(stop.0)),
            _ => Err(A::Error::custom("missing")),
        }
    }
}

/// The flags with their counts.
struct Toggles<'c> {
    names: NameRule,
    counts: &'c mut FlagCounts,
}

impl<'de> DeserializeSeed<'de> for Toggles<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Toggles<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut names: Vec<Cow<'de, str>> = Vec::with_capacity(64);
        let mut variants = Vec::new();
        while let Some(name) = map.next_key::<Text<'de>>()? {
            let toggle = Toggle {
                names: self.names,
                variants: &mut variants,
            };
            let (yes, no) = map.next_value_seed(toggle)?;
            if !self.names.admits(&name.0) {
                return Err(A::Error::custom("a name"));
            }
            let nothing = yes == 0 && no == 0 && variants.iter().all(|(_, times)| *times == Count::default());
            if !nothing {
                let variants = variants.iter().map(|(name, times)| (name.as_ref(), *times));
                self.counts
                    .push(&name.0, Count::new(yes), Count::new(no), variants);
            }
            names.push(name.0);
        }
        once(names)
    }
}

/// The counts of one flag; its variants go to `variants`, in the order of their names.
struct Toggle<'v, 'de> {
    names: NameRule,
    variants: &'v mut Vec<(Cow<'de, str>, Count)>,
}

impl<'de> DeserializeSeed<'de> for Toggle<'_, 'de> {
    type Value = (u64, u64);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(u64, u64), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Toggle<'_, 'de> {
    type Value = (u64, u64);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(u64, u64), A::Error> {
        self.variants.clear();
        let (mut yes, mut no, mut seen) = (None, None, false);
        while let Some(key) = map.next_key::<Text<'de>>()? {
            match key.0.as_ref() {
                "yes" if yes.is_none() => yes = Some(number(map.next_value()?)?),
                "no" if no.is_none() => no = Some(number(map.next_value()?)?),
                "variants" if !seen => {
                    seen = true;
                    let variants = Variants {
                        names: self.names,
                        variants: self.variants,
                    };
                    map.next_value_seed(variants)?;
                }
                "yes" | "no" | "variants" => return Err(A::Error::custom("twice")),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok((yes.unwrap_or(0), no.unwrap_or(0)))
    }
}

/// The variants of a flag; none where it is `null`.
struct Variants<'v, 'de> {
    names: NameRule,
    variants: &'v mut Vec<(Cow<'de, str>, Count)>,
}

impl<'de> DeserializeSeed<'de> for Variants<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for Variants<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_none<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<Text<'de>>()? {
            let times = number(map.next_value()?)?;
            if !self.names.admits(&name.0) {
                return Err(A::Error::custom("a name"));
            }
            self.variants.push((name.0, Count::new(times)));
        }
        self.variants.sort_unstable();
        if self.variants.is_sorted_by(|(a, _), (b, _)| a < b) {
            Ok(())
        } else {
            Err(A::Error::custom("twice"))
        }
    }
}

/// A count within its bounds; nothing and `null` are none.
fn number<E: Error>(number: Option<u64>) -> Result<u64, E> {
    match number {
        Some(number) if number > Count::MAX.get() => Err(E::custom("too many")),
        number => Ok(number.unwrap_or(0)),
    }
}

/// The same name twice is for the careful way to decide.
fn once<E: Error>(mut names: Vec<Cow<'_, str>>) -> Result<(), E> {
    let ascends = |names: &[Cow<'_, str>]| names.is_sorted_by(|a, b| a < b);
    if ascends(&names) {
        return Ok(());
    }
    names.sort_unstable();
    if ascends(&names) {
        Ok(())
    } else {
        Err(E::custom("twice"))
    }
}

/// Text that is borrowed where it can be.
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
                instant_of_text(text)
                    .map(Instant)
                    .ok_or_else(|| E::custom("no date-time"))
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
