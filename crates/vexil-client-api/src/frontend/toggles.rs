//! The answer of the frontend API: every flag that is on, with its variant.

use vexil_domain::FlagName;
use vexil_engine::Choice;

use super::text::write_text;

/// A flag that was decided.
#[derive(Debug, Clone, Copy)]
pub struct Toggle<'a> {
    /// Its name.
    pub name: &'a FlagName,
    /// Whether SDKs should emit an event each time it is evaluated.
    pub impression_data: bool,
    /// The variant; its `feature_enabled` says whether the flag is on.
    pub variant: Choice<'a>,
}

/// Writes `{"toggles":[…]}`: the flags that are on, in their order.
pub fn write_toggles<'a>(flags: impl Iterator<Item = Toggle<'a>>, out: &mut Vec<u8>) {
    write_all_toggles(flags.filter(|flag| flag.variant.feature_enabled), out);
}

/// The same for all flags, on or off.
pub fn write_all_toggles<'a>(flags: impl Iterator<Item = Toggle<'a>>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"toggles\":[");
    let mut separator: &[u8] = b"";
    for flag in flags {
        out.extend_from_slice(separator);
        separator = b",";
        write_toggle(&flag, out);
    }
    out.extend_from_slice(b"]}");
}

/// Writes one flag, on or off.
#[inline]
pub fn write_toggle(flag: &Toggle<'_>, out: &mut Vec<u8>) {
    let is_on = flag.variant.feature_enabled;
    out.extend_from_slice(b"{\"name\":");
    write_text(flag.name.as_str(), out);
    out.extend_from_slice(if is_on {
        &b",\"enabled\":true,\"variant\":{\"name\":"[..]
    } else {
        b",\"enabled\":false,\"variant\":{\"name\":"
    });
    write_text(flag.variant.name, out);
    out.extend_from_slice(if flag.variant.enabled {
        &b",\"enabled\":true"[..]
    } else {
        b",\"enabled\":false"
    });
    if let Some(payload) = flag.variant.payload {
        out.extend_from_slice(b",\"payload\":{\"type\":");
        write_text(&payload.kind, out);
        out.extend_from_slice(b",\"value\":");
        write_text(&payload.value, out);
        out.push(b'}');
    }
    out.extend_from_slice(if is_on {
        &b",\"feature_enabled\":true,\"featureEnabled\":true},\"impressionData\":"[..]
    } else {
        b",\"feature_enabled\":false,\"featureEnabled\":false},\"impressionData\":"
    });
    out.extend_from_slice(if flag.impression_data {
        &b"true}"[..]
    } else {
        b"false}"
    });
}
