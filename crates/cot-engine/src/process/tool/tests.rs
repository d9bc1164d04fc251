//! The bounds of results.

use cot_model::EffectError;
use serde_json::{Value, json};

use super::bounds::{MAX_TOOL_BYTES, bound_result};

#[test]
fn a_result_is_bounded_by_its_json() {
    let text = |length: usize| Value::String("x".repeat(length));
    assert!(bound_result(text(MAX_TOOL_BYTES - 2)).is_ok());
    assert!(bound_result(json!([text(MAX_TOOL_BYTES - 2)])).is_err());
    let error = bound_result(text(10 << 20)).unwrap_err();
    assert_eq!(error.outcome(), EffectError::Done);
    let said = "the result has 10485762 bytes as JSON: at most 65536 are allowed";
    assert_eq!(error.to_string(), said);
}
