//! Marks at places of a text.

use std::ops::Range;

use maud::{Markup, html};

use crate::frame::text::shown;

/// A mark at a place of a text.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    pub(super) place: Range<usize>,
    pub(super) class: &'static str,
    /// The number of the note that explains it.
    pub(super) number: usize,
    pub(super) note: String,
}

/// Values longer than this are marked at their first character.
const MAX_MARKED: usize = 160;

/// Writes a text with marks. Each is followed by its number; one that would overlap another has only a number.
pub(super) fn marked(text: &str, marks: &[Mark]) -> Markup {
    let mut marks: Vec<Mark> = marks.iter().filter_map(|mark| shorten(text, mark)).collect();
    marks.sort_by_key(|mark| (mark.place.start, mark.place.end));
    let mut at = 0;
    let mut pieces: Vec<(&str, Option<Mark>)> = Vec::new();
    for mark in marks {
        let start = mark.place.start.max(at);
        let end = mark.place.end.max(start);
        let (Some(before), Some(_)) = (text.get(at..start), text.get(start..end)) else { continue };
        pieces.push((before, None));
        pieces.push((&text[start..end], Some(mark)));
        at = end;
    }
    pieces.push((&text[at..], None));
    html! {
        @for (text, mark) in pieces {
            @match mark {
                None => (shown(text)),
                Some(mark) => {
                    mark class=(mark.class) title=(shown(&mark.note)) {
                        @if text.is_empty() { "▴" } @else { (shown(text)) }
                    }
                    sup.mark-number { (mark.number) }
                }
            }
        }
    }
}

/// Shortens a mark to what can be drawn of it; `None` for one outside of the text.
fn shorten(text: &str, mark: &Mark) -> Option<Mark> {
    let Range { start, end } = mark.place;
    let marked = text.get(start..end.min(text.len()))?;
    let is_whole = marked.starts_with(['{', '[']) || marked.len() > MAX_MARKED;
    let first = marked.chars().next().map_or(0, char::len_utf8);
    let end = if is_whole { start + first } else { start + marked.len() };
    Some(Mark { place: start..end, ..mark.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_numbered_and_escaped() {
        let mark =
            |place, class, number| Mark { place, class, number, note: "a \"note\"".to_owned() };
        let marks = [
            mark(1..4, "mark-repair", 1),
            mark(2..3, "", 2),
            mark(6..6, "", 3),
            mark(90..91, "", 4),
        ];
        let html = marked("{<b>} x", &marks).into_string();
        assert!(
            html.starts_with(
                "{<mark class=\"mark-repair\" title=\"a &quot;note&quot;\">&lt;b&gt;</mark><sup"
            ),
            "{html}"
        );
        assert!(html.contains("▴") && !html.contains(">4<"), "{html}");
    }
}
