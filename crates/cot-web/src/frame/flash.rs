//! The message of what a form did, on the page to which it leads.

use maud::{Markup, html};

use crate::{links::with_query, visit::Visit};

/// What a form did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    Answered,
    Forked,
    ForkedAtQuestion,
    Cancelled,
    Retried,
    Submitted,
}

const ALL: [(Done, &str, &str); 6] = [
    (
        Done::Answered,
        "answered",
        "The answer is stored. The program that drives the run takes it, or the next one that does.",
    ),
    (Done::Forked, "forked", "This is the fork. A worker of its process continues it."),
    (
        Done::ForkedAtQuestion,
        "forked-at-question",
        "This is the fork. It asks the question of that step again.",
    ),
    (
        Done::Cancelled,
        "cancelled",
        "The cancellation is requested. The program that drives the run applies it, or the next one that does.",
    ),
    (Done::Retried, "retried", "The run is put back. A worker of its process drives it again."),
    (Done::Submitted, "submitted", "The run is submitted. A worker of its process begins it."),
];

/// Returns an address whose page says what a form did.
pub(crate) fn saying(address: String, done: Done) -> String {
    let word = ALL.iter().find(|(known, ..)| *known == done).map_or("", |(_, word, _)| word);
    with_query(address, &[("done", word)])
}

/// The message that the address of a page asks for, if it does.
pub(crate) fn flash(visit: &Visit) -> Markup {
    let word = visit.query().get("done");
    let message =
        ALL.iter().find(|(_, known, _)| Some(*known) == word).map(|(.., message)| message);
    html! { @if let Some(message) = message { p.notice.notice-good role="status" { (message) } } }
}
