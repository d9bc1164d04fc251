//! The guided decoding of vLLM: what `xgrammar`, `llguidance` and `outlines-core` all take.
//!
//! Source: the projects' own documents, and what their converters accept.

use super::rules::{Bound, Limits, Maps, Optional, Recursion, References, Root, Rules, Values};

pub(super) const RULES: Rules = Rules {
    taker: "vLLM",
    keywords: &[
        "default",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "prefixItems",
    ],
    formats: &["date-time", "date", "time", "uuid"],
    takes_pattern: super::pattern::is_regular,
    takes_bound: takes,
    root: Root::Anything,
    optional: Optional::LeftOut,
    maps: Maps::Object,
    takes_anything: true,
    values: Values::All,
    // `outlines-core` follows few references within each other, and counts all of them.
    references: References::InPlace,
    recursion: Recursion::Everywhere,
    tells_order: false,
    tells_by_first_member: false,
    limits: Limits::NONE,
};

/// Grammars that count very far grow too large.
const MAX_REPETITIONS: u64 = 2000;

fn takes(bound: &Bound<'_>) -> bool {
    match bound.keyword {
        "minLength" | "maxLength" | "minItems" | "maxItems" => {
            bound.value.as_u64().is_some_and(|count| count <= MAX_REPETITIONS)
        }
        _ => true,
    }
}
