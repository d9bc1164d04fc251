//! Rules for Gemini's `responseJsonSchema`.
//!
//! Source: the vendor's reference of `GenerationConfig.responseJsonSchema`.

use super::rules::{
    Anything, DialectRules, Limits, Maps, Optional, Recursion, References, Root, Values,
};

pub(super) const RULES: DialectRules = DialectRules {
    engine: "Gemini",
    keywords: &["minItems", "maxItems", "minimum", "maximum", "prefixItems"],
    formats: &["date-time", "date", "time"],
    pattern: |_| None,
    supports_bound: |_| true,
    root: Root::Anything,
    optional: Optional::LeftOut,
    maps: Maps::Object,
    anything: Anything::Empty,
    values: Values::Words,
    references: References::Alone,
    recursion: Recursion::WithinOptional,
    adds_property_ordering: true,
    requires_distinct_first_members: false,
    limits: Limits::NONE,
};
