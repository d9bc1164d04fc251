//! The difference of two texts: words within a text, lines of JSON.

use std::time::Duration;

use maud::{Markup, html};
use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use crate::frame::text::shown;

/// How long a difference is searched for; it is less exact then.
const PATIENCE: Duration = Duration::from_millis(200);
/// The longest text that is compared word by word, in bytes.
const MAX_BYTES: usize = 200_000;
/// The length of equal text that is shown around a difference, in characters.
const CONTEXT: usize = 160;
/// The number of equal lines that are shown around a difference.
const LINES: usize = 3;

/// Shows two texts as one, with the words that differ marked.
pub(super) fn words(a: &str, b: &str) -> Markup {
    if a.len().max(b.len()) > MAX_BYTES {
        return lines(a, b);
    }
    let diff = TextDiff::configure().timeout(PATIENCE).diff_words(a, b);
    let mut pieces: Vec<(ChangeTag, String)> = Vec::new();
    for change in diff.iter_all_changes() {
        match pieces.last_mut().filter(|(tag, _)| *tag == change.tag()) {
            Some((_, text)) => text.push_str(change.value()),
            None => pieces.push((change.tag(), change.value().to_owned())),
        }
    }
    let last = pieces.len().saturating_sub(1);
    html! {
        pre.block dir="auto" tabindex="0" {
            @for (index, (tag, text)) in pieces.iter().enumerate() {
                @match tag {
                    ChangeTag::Equal => (equal(text, index > 0, index < last)),
                    ChangeTag::Delete => del.diff-old { (shown(text)) },
                    ChangeTag::Insert => ins.diff-new { (shown(text)) },
                }
            }
        }
    }
}

/// Shows a text that is in both, without what is far from a difference.
fn equal(text: &str, after_change: bool, before_change: bool) -> Markup {
    let chars: Vec<char> = text.chars().collect();
    let (head, tail) =
        (if after_change { CONTEXT } else { 0 }, if before_change { CONTEXT } else { 0 });
    if chars.len() <= head + tail + 80 {
        return html! { (shown(text)) };
    }
    let start: String = chars[..head].iter().collect();
    let end: String = chars[chars.len() - tail..].iter().collect();
    let left_out = chars.len() - head - tail;
    html! {
        (shown(&start)) span.muted { "[… " (left_out) " characters are the same …]" } (shown(&end))
    }
}

/// Shows the lines of two texts, with those that differ marked.
pub(super) fn lines(a: &str, b: &str) -> Markup {
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(a, b);
    let groups = diff.grouped_ops(LINES);
    html! {
        div.diff tabindex="0" {
            @for (index, group) in groups.iter().enumerate() {
                @if index > 0 { span.diff-gap { "…" } }
                @for change in group.iter().flat_map(|change| diff.iter_changes(change)) {
                    @let text = change.value().trim_end_matches('\n');
                    @match change.tag() {
                        ChangeTag::Equal => span.diff-same { (shown(text)) },
                        ChangeTag::Delete => span.diff-del { span.visually-hidden { "Only in A: " } (shown(text)) },
                        ChangeTag::Insert => span.diff-add { span.visually-hidden { "Only in B: " } (shown(text)) },
                    }
                }
            }
        }
    }
}

/// Shows the lines of two JSON values.
pub(super) fn json(a: &Value, b: &Value) -> Markup {
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
    lines(&pretty(a), &pretty(b))
}
