//! The difference between two JSON values, by lines.

use std::time::Instant;

use maud::{Markup, html};
use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use super::{MAX_COMPARED, MAX_SHOWN, MAX_TIME};
use crate::frame::{
    number::bytes,
    text::{beginning, shown},
};

/// The number of equal lines that are shown beside a change.
const CONTEXT: usize = 3;

/// Shows the lines of two JSON values that differ, with the equal lines beside them.
pub(crate) fn json_diff(a: &Value, b: &Value) -> Markup {
    let texts = [a, b].map(|value| serde_json::to_string_pretty(value).unwrap_or_default());
    let compared = [&texts[0], &texts[1]].map(|text| beginning(text, MAX_COMPARED));
    let missing: usize =
        texts.iter().zip(compared).map(|(text, start)| text.len() - start.len()).sum();
    let mut config = TextDiff::configure();
    config.deadline(Instant::now() + MAX_TIME);
    let diff = config.diff_lines(compared[0], compared[1]);
    let mut left = MAX_SHOWN;
    let mut bounded = |text: &str| {
        let text = beginning(text.trim_end_matches('\n'), left);
        left -= text.len();
        shown(text).into_owned()
    };
    html! {
        div.diff tabindex="0" {
            @for (index, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
                @if index > 0 { span.diff-gap { "…" } }
                @for change in group.iter().flat_map(|change| diff.iter_changes(change)) {
                    @let text = bounded(change.value());
                    @match change.tag() {
                        _ if text.is_empty() => {},
                        ChangeTag::Equal => span.diff-same { (text) },
                        ChangeTag::Delete => span.diff-del { span.visually-hidden { "Only in A: " } (text) },
                        ChangeTag::Insert => span.diff-add { span.visually-hidden { "Only in B: " } (text) },
                    }
                }
            }
        }
        @if missing > 0 { p.small.muted { (bytes(missing as u64)) " of both are not compared." } }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lines_that_differ_are_shown_with_those_beside_them() {
        let (a, b) = (json!({ "a": 1, "b": "<i>" }), json!({ "a": 1, "b": "<b>" }));
        let html = json_diff(&a, &b).into_string();
        assert!(html.contains(r#"<span class="diff-same">  &quot;a&quot;: 1,</span>"#), "{html}");
        assert!(
            html.contains("Only in A: </span>  &quot;b&quot;: &quot;&lt;i&gt;&quot;"),
            "{html}"
        );
        assert!(
            html.contains("Only in B: </span>  &quot;b&quot;: &quot;&lt;b&gt;&quot;"),
            "{html}"
        );
    }

    #[test]
    fn large_values_are_compared_and_shown_in_part() {
        let list = |start: usize| json!((start..start + 100_000).collect::<Vec<usize>>());
        let html = json_diff(&list(0), &list(50_000_000)).into_string();
        assert!(html.len() < 300_000, "{} bytes", html.len());
        assert!(html.contains("are not compared"));
    }
}
