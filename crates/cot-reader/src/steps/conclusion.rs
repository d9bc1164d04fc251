//! Where the conclusion of a text begins.

use super::{
    decoration::{Line, is_blank},
    marker::marker,
};

/// What divides the steps from the conclusion, wherever it stands.
const HASHES: &str = "####";

/// What a formula has around its result.
const BOXED: &str = "\\boxed{";

/// The text before the first `####` that begins no heading of a step or a conclusion, and the conclusion
/// after it, if there is one.
pub(super) fn after_hashes(text: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.find(HASHES)?;
        let (before, hashes) = text.split_at(at);
        if begins_line(before) && Line::of(hashes).is_heading && marker(hashes).is_some() {
            from = text.len() - hashes.trim_start_matches('#').len();
            continue;
        }
        let conclusion = hashes.strip_prefix(HASHES)?.trim();
        return (!conclusion.is_empty()).then_some((before, conclusion));
    }
}

fn begins_line(before: &str) -> bool {
    let before = before.trim_end_matches(is_blank);
    before.is_empty() || before.ends_with('\n')
}

/// What is in the last box of a text.
pub(super) fn boxed(text: &str) -> Option<&str> {
    let inner = text.get(text.rfind(BOXED)? + BOXED.len()..)?;
    let mut depth = 1_usize;
    let end = inner.bytes().position(|byte| {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    Some(inner.get(..end)?.trim()).filter(|content| !content.is_empty())
}
