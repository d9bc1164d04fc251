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

/// Reads the usage of a chat completion. Counts that are missing, negative or not numbers are 0, and
/// details never exceed the totals.
pub(crate) fn read_chat_usage(usage: &Value) -> Usage {
    let count = |places: &[&str]| {
        let counts = places.iter().filter_map(|place| usage.pointer(place)?.as_u64());
        counts.max().unwrap_or_default()
    };
    let input = count(&["/prompt_tokens"]);
    let mut output = count(&["/completion_tokens"]);
    let reasoning = count(&["/completion_tokens_details/reasoning_tokens"]);
    // xAI does not include the thoughts in the output, but in the total.
    let with_thoughts = output.checked_add(reasoning);
    let total = with_thoughts.and_then(|output| output.checked_add(input));
    if total == Some(count(&["/total_tokens"])) {
        output = with_thoughts.unwrap_or(output);
    }
    let usage = Usage::for_call(input, output).reasoning(reasoning);
    usage.cached(count(&CACHE_READ), count(&CACHE_WRITE))
}
