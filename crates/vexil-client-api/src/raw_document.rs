//! Client features, taken apart into flags and segments that are not read yet.

use serde_core::de::{MapAccess, SeqAccess};
use serde_json::value::RawValue;

use crate::read::{Key, LenientDeserialize, Reader, skip};

/// A document whose flags and segments are still text.
#[derive(Default)]
pub(crate) struct RawDocument<'de> {
    /// `None` where there is no such list.
    pub(crate) features: Option<Vec<&'de RawValue>>,
    pub(crate) segments: Vec<&'de RawValue>,
}

impl<'de> LenientDeserialize<'de> for RawDocument<'de> {
    const WANTED: &'static str = "an object with the member `features`";

    fn map<A: MapAccess<'de>>(reader: &mut Reader, mut map: A) -> Result<Option<Self>, A::Error> {
        let mut document = Self::default();
        while let Some(Key(key)) = map.next_key()? {
            match &*key {
                "features" => {
                    if let Some(RawFlags(list)) = reader.member("features", &mut map)? {
                        document.features.get_or_insert_default().extend(list);
                    }
                }
                "segments" => {
                    if let Some(RawSegments(list)) = reader.member("segments", &mut map)? {
                        document.segments.extend(list);
                    }
                }
                _ => skip(&mut map)?,
            }
        }
        Ok(Some(document))
    }
}

struct RawFlags<'de>(Vec<&'de RawValue>);

impl<'de> LenientDeserialize<'de> for RawFlags<'de> {
    const WANTED: &'static str = "a list of flags";

    fn seq<A: SeqAccess<'de>>(_: &mut Reader, seq: A) -> Result<Option<Self>, A::Error> {
        items(seq).map(|items| Some(Self(items)))
    }
}

struct RawSegments<'de>(Vec<&'de RawValue>);

impl<'de> LenientDeserialize<'de> for RawSegments<'de> {
    const WANTED: &'static str = "a list of segments";

    fn seq<A: SeqAccess<'de>>(_: &mut Reader, seq: A) -> Result<Option<Self>, A::Error> {
        items(seq).map(|items| Some(Self(items)))
    }
}

fn items<'de, A: SeqAccess<'de>>(mut seq: A) -> Result<Vec<&'de RawValue>, A::Error> {
    let mut items = Vec::new();
    while let Some(item) = seq.next_element()? {
        items.push(item);
    }
    Ok(items)
}
