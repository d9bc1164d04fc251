//! Rules for the grammars that `llama.cpp` generates from a schema. Ollama uses them too.
//!
//! Source: the project's `grammars/README.md` and its converter, `common/json-schema-to-grammar.cpp`.

use super::{
    grammar::{self, MAX_REPETITIONS},
    rules::{
        Anything, Bound, DialectRules, Limits, Maps, Optional, Recursion, References, Root, Values,
    },
};

pub(super) const RULES: DialectRules = DialectRules {
    engine: "llama.cpp",
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
    pattern: grammar::pattern,
    supports_bound: takes,
    root: Root::Anything,
    optional: Optional::LeftOut,
    maps: Maps::Object,
    anything: Anything::AllTypes,
    values: Values::All,
    references: References::WithAnnotations,
    recursion: Recursion::Everywhere,
    adds_property_ordering: false,
    requires_distinct_first_members: false,
    limits: Limits::NONE,
};

/// Returns whether a bound is supported. Those of integers must fit into an `i64`, those of other numbers
/// are ignored by the converter.
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
