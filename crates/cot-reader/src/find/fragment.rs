//! Detects values that are fragments of larger, malformed JSON.

use cot_schema::internal::truncate;

use super::ends::ends_json;

/// Maximum length of the inspected text, in bytes.
const MAX_LOOK: usize = 1000;

/// Returns whether the text around a value shows that it is a fragment: unopened brackets are closed, or
/// more of the JSON follows.
pub(super) fn is_fragment(before: &str, after: &str) -> bool {
    if is_after_fields(before) {
        return true;
    }
    let (is_first, is_part) = (before.is_empty(), is_after_key(before));
    if !is_first && !is_part {
        return false;
    }
    let after = up_to_fence(truncate(after, MAX_LOOK));
    let rest = after.trim_ascii_start();
    let is_closer = |c: char| c.is_ascii_whitespace() || matches!(c, '}' | ']' | ')' | ';');
    if is_first && continues(after) {
        return true;
    }
    let is_only_closers = rest.trim_matches(is_closer).is_empty();
    closes_more(rest) && (is_part || !is_only_closers)
}

/// Returns the text before a fence or tag that ends JSON.
fn up_to_fence(text: &str) -> &str {
    let marks = text.match_indices(['`', '~', '<']);
    let end = marks.filter_map(|(at, _)| text.get(at..).filter(|rest| ends_json(rest)).map(|_| at));
    let end = end.min().unwrap_or(text.len());
    text.get(..end).unwrap_or(text)
}

/// Returns whether a text ends with a quoted key and a colon.
fn is_after_key(text: &str) -> bool {
    let key = text.trim_ascii_end().strip_suffix(':');
    key.is_some_and(|key| key.trim_ascii_end().ends_with(['"', '\'']))
}

/// Returns whether the line before the last one is a field such as `id: "x"`.
fn is_after_fields(text: &str) -> bool {
    let near = text.get(text.ceil_char_boundary(text.len().saturating_sub(MAX_LOOK / 4))..);
    let mut lines = near.unwrap_or_default().trim_end().rsplit('\n').skip(1);
    let line = lines.find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let Some((key, value)) = line.split_once(':') else { return false };
    let (key, value) = (key.trim_matches(['"', '\'']), value.trim().trim_end_matches(','));
    let is_key = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
    let is_text = value.len() > 1 && value.starts_with('"') && value.ends_with('"');
    is_key && is_text && value.matches('"').count() == 2
}

/// Returns whether a text closes more brackets than it opens, regardless of whether its quotes are balanced.
fn closes_more(text: &str) -> bool {
    let is_odd = |quote: char| text.matches(quote).count() % 2 == 1;
    let closes = |quote: char| is_odd(quote) || closes_more_in(outside(text, quote));
    closes_more_in(text.bytes()) && ['"', '\''].into_iter().all(closes)
}

fn closes_more_in(text: impl Iterator<Item = u8>) -> bool {
    let mut depth = 0_usize;
    for byte in text {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 0 => return true,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    false
}

fn outside(text: &str, quote: char) -> impl Iterator<Item = u8> {
    text.split(quote).step_by(2).flat_map(str::bytes)
}

/// Returns whether a text starts with a list or another field.
fn continues(text: &str) -> bool {
    let is_near = text.starts_with('[');
    let text = text.trim_ascii_start();
    let next = text.strip_prefix(',').unwrap_or(text).trim_ascii_start();
    let is_field = next.len() < text.len() && next.starts_with('"') && text.contains(':');
    let starts_item =
        |c: char| matches!(c, '"' | '{' | '[') || is_near && (c.is_ascii_digit() || c == '-');
    let item = next.strip_prefix('[').map(str::trim_ascii_start);
    let is_list = item.is_some_and(|item| item.starts_with(starts_item));
    is_field || is_list && text.trim_ascii_end().ends_with(']')
}
