//! Gemini's `responseJsonSchema`.
//!
//! Source: the vendor's reference of `GenerationConfig.responseJsonSchema`.

use super::rules::{Limits, Maps, Optional, Recursion, References, Root, Rules, Values};

pub(super) const RULES: Rules = Rules {
    taker: "Gemini",
    keywords: &["minItems", "maxItems", "minimum", "maximum", "prefixItems"],
    formats: &["date-time", "date", "time"],
    takes_pattern: |_| false,
    takes_bound: |_| true,
    root: Root::Anything,
    optional: Optional::LeftOut,
    maps: Maps::Object,
    takes_anything: true,
    values: Values::Words,
    references: References::Alone,
    recursion: Recursion::WithinOptional,
    tells_order: true,
    tells_by_first_member: false,
    limits: Limits::NONE,
};
