//! Variants. One that cannot be understood is left out.

use serde_core::de::MapAccess;
use vexil_domain::{Payload, Stickiness, Variant, VariantOverride, WeightType};

use super::raw::{RawPayload, RawVariant, Text};
use super::reader::{Key, LenientDeserialize, List, Reader, members, skip};
use super::scalar::{Weight, texts};

impl<'de> LenientDeserialize<'de> for RawVariant<'de> {
    const WANTED: &'static str = "a variant";

    fn map<A: MapAccess<'de>>(reader: &mut Reader, mut map: A) -> Result<Option<Self>, A::Error> {
        let (mut name, mut weight_type, mut stickiness): (Option<Text>, Option<Text>, Option<Text>) =
            (None, None, None);
        let mut weight: Option<Weight> = None;
        let mut payload: Option<RawPayload> = None;
        let mut overrides: Option<List<RawOverride>> = None;
        members!(reader, map, {
            "name" => name,
            "weight" => weight,
            "weightType" => weight_type,
            "stickiness" => stickiness,
            "payload" => payload,
            "overrides" => overrides,
        });
        let Some(name) = name else {
            reader.note("must have a `name`; the variant is left out");
            return Ok(None);
        };
        Ok(Some(Self {
            name: name.0,
            weight: weight.map_or(0, |weight| weight.0),
            weight_type: weight_type.map_or(WeightType::Variable, |kind| WeightType::from_name(&kind.0)),
            stickiness: stickiness.map(|name| Stickiness::from_name(&name.0)),
            payload,
            overrides: overrides
                .map(|list| list.0.into_iter().map(|one| one.0).collect())
                .unwrap_or_default(),
        }))
    }
}

impl From<RawVariant<'_>> for Variant {
    fn from(raw: RawVariant<'_>) -> Self {
        Self {
            name: raw.name.into_owned(),
            weight: raw.weight,
            weight_type: raw.weight_type,
            stickiness: raw.stickiness,
            payload: raw.payload.map(Payload::from),
            overrides: raw.overrides,
        }
    }
}

impl<'de> LenientDeserialize<'de> for RawPayload<'de> {
    const WANTED: &'static str = "a payload";

    fn map<A: MapAccess<'de>>(reader: &mut Reader, mut map: A) -> Result<Option<Self>, A::Error> {
        let (mut kind, mut value): (Option<Text>, Option<Text>) = (None, None);
        members!(reader, map, { "type" => kind, "value" => value });
        let (Some(kind), Some(value)) = (kind, value) else {
            reader.note("must have `type` and `value`; the payload is left out");
            return Ok(None);
        };
        Ok(Some(Self {
            kind: kind.0,
            value: value.0,
        }))
    }
}

impl From<RawPayload<'_>> for Payload {
    fn from(raw: RawPayload<'_>) -> Self {
        Self {
            kind: raw.kind.into_owned(),
            value: raw.value.into_owned(),
        }
    }
}

struct RawOverride(VariantOverride);

impl<'de> LenientDeserialize<'de> for RawOverride {
    const WANTED: &'static str = "an override";

    fn map<A: MapAccess<'de>>(reader: &mut Reader, mut map: A) -> Result<Option<Self>, A::Error> {
        let mut field: Option<Text> = None;
        let mut values: Option<List<Text>> = None;
        members!(reader, map, { "contextName" => field, "values" => values });
        let Some(field) = field else {
            reader.note("must have a `contextName`; the override is left out");
            return Ok(None);
        };
        Ok(Some(Self(VariantOverride {
            context_name: field.0.into_owned(),
            values: values.map(|list| texts(list.0)).unwrap_or_default(),
        })))
    }
}
