//! Anthropic's output formats and strict tools.
//!
//! Source: the vendor's page "Structured outputs", section "JSON Schema limitations", and what its own
//! clients do to a schema.

use super::rules::{Limits, Maps, Optional, Recursion, References, Root, Rules, Values};

pub(super) const RULES: Rules = Rules {
    taker: "Anthropic",
    keywords: &["default", "minItems"],
    formats: &[
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "uri",
        "ipv4",
        "ipv6",
        "uuid",
    ],
    takes_pattern: super::pattern::is_without_boundary,
    takes_bound: |bound| {
        bound.keyword != "minItems" || bound.value.as_u64().is_some_and(|least| least <= 1)
    },
    // An output may be a choice at its root, the input of a tool may not.
    root: Root::Object,
    optional: Optional::NeverNull,
    maps: Maps::Entries,
    takes_anything: false,
    values: Values::Primitive,
    references: References::Alone,
    recursion: Recursion::Nowhere,
    tells_order: false,
    tells_by_first_member: false,
    limits: Limits { optional: 24, unions: 16, ..Limits::NONE },
};
