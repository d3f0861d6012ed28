//! Variants. One that cannot be understood is left out.

use serde::de::MapAccess;
use vexil_domain::{Payload, Stickiness, Variant, VariantOverride, WeightType};

use super::scalar::{Text, Weight, texts};
use super::{Key, List, Reader, Shape, members, skip};

/// A variant.
pub(super) struct VariantShape(pub(super) Variant);

impl<'de> Shape<'de> for VariantShape {
    const WANTED: &'static str = "a variant";

    fn map<A: MapAccess<'de>>(reader: &mut Reader, mut map: A) -> Result<Option<Self>, A::Error> {
        let (mut name, mut weight_type, mut stickiness): (Option<Text>, Option<Text>, Option<Text>) =
            (None, None, None);
        let mut weight: Option<Weight> = None;
        let mut payload: Option<PayloadShape> = None;
        let mut overrides: Option<List<OverrideShape>> = None;
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
        Ok(Some(Self(Variant {
            name: name.0.into_owned(),
            weight: weight.map_or(0, |weight| weight.0),
            weight_type: weight_type.map_or(WeightType::Variable, |kind| WeightType::from_name(&kind.0)),
            stickiness: stickiness.map(|name| Stickiness::from_name(&name.0)),
            payload: payload.map(|payload| payload.0),
            overrides: overrides
                .map(|list| list.0.into_iter().flatten().map(|one| one.0).collect())
                .unwrap_or_default(),
        })))
    }
}

struct PayloadShape(Payload);

impl<'de> Shape<'de> for PayloadShape {
    const WANTED: &'static str = "a payload";

    fn map<A: MapAccess<'de>>(reader: &mut Reader, mut map: A) -> Result<Option<Self>, A::Error> {
        let (mut kind, mut value): (Option<Text>, Option<Text>) = (None, None);
        members!(reader, map, { "type" => kind, "value" => value });
        let (Some(kind), Some(value)) = (kind, value) else {
            reader.note("must have `type` and `value`; the payload is left out");
            return Ok(None);
        };
        Ok(Some(Self(Payload {
            kind: kind.0.into_owned(),
            value: value.0.into_owned(),
        })))
    }
}

struct OverrideShape(VariantOverride);

impl<'de> Shape<'de> for OverrideShape {
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
            values: values.map(texts).unwrap_or_default(),
        })))
    }
}

/// The variants of a list that could be read.
pub(super) fn variants(list: Option<List<VariantShape>>) -> Vec<Variant> {
    list.map(|list| list.0.into_iter().flatten().map(|variant| variant.0).collect())
        .unwrap_or_default()
}
