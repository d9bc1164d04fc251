//! Recognizes what ends JSON in a reply.

use super::{calls, tags};

/// Returns whether a text starts with a fence or mark that ends JSON.
pub(crate) fn ends_json(text: &str) -> bool {
    text.starts_with("```")
        || text.starts_with("~~~")
        || tags::ends_answer(text)
        || tags::thought_tag(text).is_some()
        || calls::ends_call(text)
}
