//! The difference between two texts, by words.

use std::time::Instant;

use maud::{Markup, html};
use similar::{ChangeTag, TextDiff};

use super::{MAX_COMPARED, MAX_SHOWN, MAX_TIME};
use crate::frame::text::{beginning, shown};

/// The length of unchanged text beside a change, in characters.
const CONTEXT: usize = 120;

/// Shows what was removed and added, with the unchanged text beside it.
pub(crate) fn word_diff(old: &str, new: &str) -> Markup {
    // Most of two prompts is the same: what they begin and end with needs no comparison.
    let (start, old, new, end) = changed_part(old, new);
    let compared = [old, new].map(|text| beginning(text, MAX_COMPARED));
    let mut config = TextDiff::configure();
    config.deadline(Instant::now() + MAX_TIME);
    let diff = config.diff_words(compared[0], compared[1]);
    let mut pieces: Vec<(ChangeTag, String)> = vec![(ChangeTag::Equal, start.to_owned())];
    for change in diff.iter_all_changes() {
        match pieces.last_mut().filter(|(tag, _)| *tag == change.tag()) {
            Some((_, text)) => text.push_str(change.value()),
            None => pieces.push((change.tag(), change.value().to_owned())),
        }
    }
    match pieces.last_mut().filter(|(tag, _)| *tag == ChangeTag::Equal) {
        Some((_, text)) => text.push_str(end),
        None => pieces.push((ChangeTag::Equal, end.to_owned())),
    }
    let last = pieces.len() - 1;
    let mut left = MAX_SHOWN;
    let mut bounded = |text: &str| {
        let text = beginning(text, left);
        left -= text.len();
        shown(text).into_owned()
    };
    html! {
        pre.block dir="auto" tabindex="0" {
            @for (index, (tag, text)) in pieces.iter().enumerate() {
                @match tag {
                    ChangeTag::Equal => (context(text, index > 0, index < last)),
                    ChangeTag::Delete => del.diff-old { (bounded(text)) },
                    ChangeTag::Insert => ins.diff-new { (bounded(text)) },
                }
            }
        }
    }
}

/// Splits two texts into their common beginning, what differs in each, and their common end.
fn changed_part<'a>(old: &'a str, new: &'a str) -> (&'a str, &'a str, &'a str, &'a str) {
    let is_word = |c: char| c.is_alphanumeric();
    let same = old.char_indices().zip(new.chars()).take_while(|((_, a), b)| a == b);
    let start = same.last().map_or(0, |((at, c), _)| at + c.len_utf8());
    // Not within a word.
    let start = old[..start].trim_end_matches(is_word).len();
    let (common, old, new) = (&old[..start], &old[start..], &new[start..]);
    let same = old.chars().rev().zip(new.chars().rev()).take_while(|(a, b)| a == b);
    let end: usize = same.map(|(c, _)| c.len_utf8()).sum();
    let tail = old[old.len() - end..].trim_start_matches(is_word).len();
    (common, &old[..old.len() - tail], &new[..new.len() - tail], &old[old.len() - tail..])
}

/// The unchanged text beside changes.
fn context(text: &str, is_after_change: bool, is_before_change: bool) -> Markup {
    let start = if is_after_change { CONTEXT } else { 0 };
    let end = if is_before_change { CONTEXT } else { 0 };
    let count = text.chars().count();
    if count <= start + end + CONTEXT {
        return html! { span.muted { (shown(text)) } };
    }
    let head: String = text.chars().take(start).collect();
    let tail: String = text.chars().skip(count - end).collect();
    html! {
        span.muted { (shown(&head)) }
        span.diff-gap-inline { " … " (count - start - end) " characters the same … " }
        span.muted { (shown(&tail)) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shows_what_is_new_and_leaves_out_what_is_not() {
        let html = word_diff(
            &format!("{}the end", "same ".repeat(500)),
            &format!("{}the new end", "same ".repeat(500)),
        );
        let html = html.into_string();
        assert!(html.contains("<ins class=\"diff-new\">new </ins>"), "{html}");
        assert!(html.contains("characters the same") && html.len() < 1500, "{html}");
    }

    proptest! {
        #[test]
        fn parts_are_put_together_to_the_texts(old in "[ab é.]{0,20}", new in "[ab é.]{0,20}") {
            let (start, before, after, end) = changed_part(&old, &new);
            prop_assert_eq!(&format!("{start}{before}{end}"), &old);
            prop_assert_eq!(&format!("{start}{after}{end}"), &new);
        }
    }
}
