//! OpenAI's structured outputs with `strict: true`.
//!
//! Source: the vendor's page "Structured outputs", section "Supported schemas", and the errors that
//! its service answers with.

use super::rules::{Limits, Maps, Optional, Recursion, References, Root, Rules, Values};

pub(super) const RULES: Rules = Rules {
    taker: "OpenAI",
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
    takes_pattern: super::pattern::is_regular,
    takes_bound: |_| true,
    root: Root::Object,
    optional: Optional::Null,
    maps: Maps::Entries,
    takes_anything: false,
    values: Values::All,
    references: References::Alone,
    recursion: Recursion::Everywhere,
    tells_order: false,
    // "Objects provided via 'anyOf' must not share identical first keys."
    tells_by_first_member: true,
    limits: Limits {
        properties: 5000,
        depth: 10,
        values: 1000,
        characters: 120_000,
        characters_of_enum: 15_000,
        ..Limits::NONE
    },
};
