//! The usage of messages.

use cot_model::Usage;
use serde_json::Value;

/// Reads the usage of a message; `None` if it has no count.
///
/// The input does not include what was read from and written to the cache. What a summary of the context and other
/// models on the server cost is only in the list of the iterations.
pub(super) fn read_usage(usage: &Value) -> Option<Usage> {
    let is_count = |name: &str| usage[name].is_u64();
    if !(is_count("input_tokens") || is_count("output_tokens")) {
        return None;
    }
    let iterations = usage["iterations"].as_array().into_iter().flatten();
    let others = iterations.filter(|iteration| iteration["type"] != "message");
    Some(
        others
            .map(read_counts)
            .fold(read_counts(usage), |sum, other| Usage { calls: sum.calls, ..sum + other }),
    )
}

fn read_counts(usage: &Value) -> Usage {
    let count = |place: &str| usage.pointer(place).and_then(Value::as_u64).unwrap_or_default();
    let (read, written) =
        (count("/cache_read_input_tokens"), count("/cache_creation_input_tokens"));
    let input = count("/input_tokens").saturating_add(read).saturating_add(written);
    let thoughts = count("/output_tokens_details/thinking_tokens");
    Usage::for_call(input, count("/output_tokens")).cached(read, written).reasoning(thoughts)
}
