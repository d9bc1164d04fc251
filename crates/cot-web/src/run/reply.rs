//! A reply as it was received, with its repairs and issues.

use cot_reader::ReplyPlaces;
use cot_store::AttemptHistory;
use maud::{Markup, html};

use super::{
    marks::{Mark, marked},
    text::{MAX_TEXT, Whole, more},
};
use crate::frame::text::{beginning, shown};

/// The maximum length of a reply whose places are looked for.
const MAX_PARSED: usize = 400_000;
/// The number of repairs, and of issues, that are shown.
const MAX_NOTES: usize = 100;

/// A repair or an issue, with its place if it was found.
struct Note {
    is_issue: bool,
    path: String,
    text: String,
    place: Option<std::ops::Range<usize>>,
}

/// A reply with marks, and the list of its repairs and issues.
pub(super) fn reply(text: &str, attempt: &AttemptHistory, whole: &Whole) -> Markup {
    let notes = notes(text, attempt);
    let start = beginning(text, 2 * MAX_TEXT);
    let marks: Vec<Mark> = notes
        .iter()
        .enumerate()
        .filter_map(|(index, note)| {
            let place = note.place.clone().filter(|place| place.end <= start.len())?;
            let note_text = format!("{}: {}", note.path, note.text);
            let class = if note.is_issue { "mark-issue" } else { "mark-repair" };
            Some(Mark { place, class, number: index + 1, note: note_text })
        })
        .collect();
    html! {
        div.reply {
            h4 { "Reply" }
            @if text.trim().is_empty() { p.muted { "The text of the reply is empty." } }
            @else { pre.block dir="auto" tabindex="0" { (marked(start, &marks)) } }
            (more(text.len() - start.len(), whole))
            (list(&notes))
        }
    }
}

fn notes(text: &str, attempt: &AttemptHistory) -> Vec<Note> {
    let AttemptHistory { repairs, issues, .. } = attempt;
    if repairs.is_empty() && issues.is_empty() {
        return Vec::new();
    }
    let places = if text.len() <= MAX_PARSED {
        ReplyPlaces::find(text, repairs, Some(issues))
    } else {
        ReplyPlaces::default()
    };
    let of_repairs = repairs.iter().enumerate().take(MAX_NOTES).map(|(index, repair)| Note {
        is_issue: false,
        path: repair.path.clone(),
        text: format!("{} ({})", repair.description, repair.class),
        place: places.repair(index),
    });
    let of_issues = issues.iter().take(MAX_NOTES).map(|issue| Note {
        is_issue: true,
        path: issue.path.clone(),
        text: issue.message.clone(),
        // That the whole reply is wrong needs no mark.
        place: places.issue(issue).filter(|place| issue.path != "$" || place.is_empty()),
    });
    of_issues.chain(of_repairs).collect()
}

fn list(notes: &[Note]) -> Markup {
    html! {
        @if !notes.is_empty() {
            ol.notes aria-label="Issues and repairs" {
                @for note in notes {
                    li {
                        span.note-kind.bad[note.is_issue] { @if note.is_issue { "issue" } @else { "repaired" } }
                        " " code { (shown(&note.path)) } " " (shown(&note.text))
                        @if note.place.is_none() { span.muted { " (no place in the text)" } }
                    }
                }
            }
        }
    }
}
