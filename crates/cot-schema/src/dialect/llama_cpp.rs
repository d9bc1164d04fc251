//! The grammars that `llama.cpp` makes of a schema; Ollama has them too.
//!
//! Source: the project's `grammars/README.md` and its converter, `common/json-schema-to-grammar.cpp`.

use super::rules::{Bound, Limits, Maps, Optional, Recursion, References, Root, Rules, Values};

/// More repetitions are refused when the grammar is read.
const MAX_REPETITIONS: u64 = 2000;

pub(super) const RULES: Rules = Rules {
    taker: "llama.cpp",
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
    takes_pattern: super::pattern::is_plain_and_anchored,
    takes_bound: takes,
    root: Root::Anything,
    optional: Optional::LeftOut,
    maps: Maps::Object,
    takes_anything: true,
    values: Values::All,
    references: References::Described,
    recursion: Recursion::Everywhere,
    tells_order: false,
    tells_by_first_member: false,
    limits: Limits::NONE,
};

/// Bounds of integers are read as 64 bits with a sign, those of other numbers not at all.
fn takes(bound: &Bound<'_>) -> bool {
    match bound.keyword {
        "minLength" | "maxLength" | "minItems" | "maxItems" => {
            bound.value.as_u64().is_some_and(|count| count <= MAX_REPETITIONS)
        }
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
            bound.kind == Some("integer") && bound.value.as_i64().is_some()
        }
        _ => true,
    }
}
