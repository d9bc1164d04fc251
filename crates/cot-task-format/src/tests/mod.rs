//! Tests of parsing, writing and diagnostics.

mod agreement;
mod arbitrary;
mod checks;
mod conformance;
mod hostile;
mod recovery;
mod round_trip;
mod syntax;
mod texts;
mod tools;

use super::*;

/// The complete trace of the documentation, with a tag in each place.
const WEATHER: &str = include_str!("weather.task");

fn codes(findings: &[Diagnostic]) -> Vec<String> {
    findings.iter().map(|finding| format!("{}@{}", finding.code, finding.position)).collect()
}

/// Returns the content of the only structure of a text.
fn only(text: &str) -> Expr {
    let mut trace = parse(text).unwrap_or_else(|errors| panic!("{text}\n{errors}"));
    assert_eq!(trace.blocks.len(), 1, "{text}");
    trace.blocks.remove(0).content
}

fn value(text: &str) -> Value {
    let object = only(&format!("plan {{ x ↦ {text} }}"));
    object.as_object().unwrap().get("x").unwrap().value.clone()
}
