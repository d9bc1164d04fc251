//! Rules for Anthropic's output formats and strict tools.
//!
//! Source: the vendor's page "Structured outputs", section "JSON Schema limitations", and the
//! transformations of its own clients.

use super::rules::{
    Anything, DialectRules, Limits, Maps, Optional, Recursion, References, Root, Values,
};

pub(super) const RULES: DialectRules = DialectRules {
    engine: "Anthropic",
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
    pattern: super::pattern::without_boundary,
    supports_bound: |bound| {
        bound.keyword != "minItems" || bound.value.as_u64().is_some_and(|least| least <= 1)
    },
    // The schema of an output may be a choice at its root, that of a tool input may not.
    root: Root::Object,
    optional: Optional::NeverNull,
    maps: Maps::Entries,
    anything: Anything::Text,
    values: Values::Primitive,
    references: References::Alone,
    recursion: Recursion::Nowhere,
    adds_property_ordering: false,
    requires_distinct_first_members: false,
    limits: Limits { optional: 24, unions: 16, ..Limits::NONE },
};
