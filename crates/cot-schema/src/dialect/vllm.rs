//! Rules for the guided decoding of vLLM: the common subset of `xgrammar`, `llguidance` and `outlines-core`.
//!
//! Source: the projects' documentation and the code of their converters.

use super::rules::{
    Anything, Bound, DialectRules, Limits, Maps, Optional, Recursion, References, Root, Values,
};

pub(super) const RULES: DialectRules = DialectRules {
    engine: "vLLM",
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
    pattern: super::pattern::regular,
    supports_bound: takes,
    root: Root::Anything,
    optional: Optional::LeftOut,
    maps: Maps::Object,
    anything: Anything::Empty,
    values: Values::All,
    // `outlines-core` limits the nesting depth of references.
    references: References::Inlined,
    recursion: Recursion::Everywhere,
    adds_property_ordering: false,
    requires_distinct_first_members: false,
    limits: Limits::NONE,
};

/// Maximum number of repetitions: grammars with more grow too large.
const MAX_REPETITIONS: u64 = 2000;

fn takes(bound: &Bound<'_>) -> bool {
    match bound.keyword {
        "minLength" | "maxLength" | "minItems" | "maxItems" => {
            bound.value.as_u64().is_some_and(|count| count <= MAX_REPETITIONS)
        }
        _ => true,
    }
}
