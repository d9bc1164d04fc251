//! Finds conclusions that are marked by `####` or `\boxed{…}`.

use super::{
    decoration::{Line, is_blank},
    marker::marker,
};

/// The separator between steps and conclusion.
const HASHES: &str = "####";

/// The LaTeX command around a result.
const BOXED: &str = "\\boxed{";

/// Splits a text at the first `####` that is not the heading of a step or conclusion. Returns the text
/// before it and the conclusion after it, if that is not empty.
pub(super) fn after_hashes(text: &str) -> Option<(&str, &str)> {
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.find(HASHES)?;
        let (before, hashes) = text.split_at(at);
        if begins_line(before) && Line::parse(hashes).is_heading && marker(hashes).is_some() {
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

/// Returns the content of the last `\boxed{…}` of a text.
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
