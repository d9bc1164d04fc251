//! Rules for OpenAI's structured outputs with `strict: true`.
//!
//! Source: the vendor's page "Structured outputs", section "Supported schemas", and the error messages of
//! its service.

use super::rules::{
    Anything, DialectRules, Limits, Maps, Optional, Recursion, References, Root, Values,
};

pub(super) const RULES: DialectRules = DialectRules {
    engine: "OpenAI",
    keywords: &[
        "multipleOf",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minItems",
        "maxItems",
    ],
    formats: super::rules::FORMATS,
    pattern: super::pattern::regular,
    supports_bound: |_| true,
    root: Root::Object,
    optional: Optional::Null,
    maps: Maps::Entries,
    anything: Anything::Text,
    values: Values::All,
    references: References::Alone,
    recursion: Recursion::Everywhere,
    adds_property_ordering: false,
    // "Objects provided via 'anyOf' must not share identical first keys."
    requires_distinct_first_members: true,
    limits: Limits {
        properties: 5000,
        depth: 10,
        values: 1000,
        characters: 120_000,
        characters_of_enum: 15_000,
        ..Limits::NONE
    },
};
