//! The usage of chat completions.

use cot_model::Usage;
use serde_json::Value;

/// Where servers report tokens that were read from the prompt cache: OpenAI and most others, DeepSeek,
/// Anthropic's names behind a proxy, Moonshot.
const CACHE_READ: [&str; 4] = [
    "/prompt_tokens_details/cached_tokens",
    "/prompt_cache_hit_tokens",
    "/cache_read_input_tokens",
    "/cached_tokens",
];

/// Where servers report tokens that were written to the prompt cache: OpenRouter, LiteLLM, Anthropic's
/// name behind a proxy.
const CACHE_WRITE: [&str; 3] = [
    "/prompt_tokens_details/cache_write_tokens",
    "/prompt_tokens_details/cache_creation_tokens",
    "/cache_creation_input_tokens",
];

/// The largest total that is believed.
const MAX_TOTAL: u64 = u32::MAX as u64;

/// Returns the usage in a chat completion, or in a piece of one; `None` if it has none, or one without a count.
pub(crate) fn chat_usage(said: &Value) -> Option<Usage> {
    // Groq sends that of a stream in a place of its own.
    let places = [&said["usage"], &said["x_groq"]["usage"]];
    let is_count = |usage: &Value, name: &str| usage[name].as_u64().is_some();
    let has_count = |usage: &&Value| {
        ["prompt_tokens", "completion_tokens", "total_tokens"]
            .iter()
            .any(|name| is_count(usage, name))
    };
    places.into_iter().find(has_count).map(read_chat_usage)
}

/// Reads the usage of a chat completion. Counts that are missing, negative or not numbers are 0, and
/// details never exceed the totals.
fn read_chat_usage(usage: &Value) -> Usage {
    let count = |places: &[&str]| {
        let counts = places.iter().filter_map(|place| usage.pointer(place)?.as_u64());
        counts.max().unwrap_or_default()
    };
    let (input, output) = (count(&["/prompt_tokens"]), count(&["/completion_tokens"]));
    // xAI and Gemini do not include the thoughts in the output, but in the total.
    let total =
        Some(count(&["/total_tokens"])).filter(|total| *total <= MAX_TOTAL).unwrap_or_default();
    let thoughts = total.saturating_sub(input.saturating_add(output));
    let reasoning = count(&["/completion_tokens_details/reasoning_tokens"]).max(thoughts);
    let usage = Usage::for_call(input, output.saturating_add(thoughts)).reasoning(reasoning);
    usage.cached(count(&CACHE_READ), count(&CACHE_WRITE))
}
