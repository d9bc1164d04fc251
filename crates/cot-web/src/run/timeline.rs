//! The time line of a run: its steps, and the replies that are being written.

use cot_store::{Draft, Status};
use maud::{Markup, html};

use super::{load::RunView, place::Place, step::step, text::MAX_TEXT};
use crate::{
    frame::{
        number::grouped,
        text::{beginning, shown},
    },
    links::with_query,
    visit::Visit,
};

/// The time line, newest step first unless the query says otherwise.
pub(super) fn timeline(visit: &Visit, view: &RunView) -> Markup {
    let is_oldest_first = visit.query().get("order") == Some("oldest");
    let window = view.window;
    let mut steps: Vec<_> = view.steps.iter().collect();
    if !is_oldest_first {
        steps.reverse();
    }
    let run = visit.links().run(&view.summary.run);
    let with = visit.query().filled("with").map(str::to_owned);
    let order = if is_oldest_first { "newest" } else { "oldest" };
    let mut query = vec![("order", order)];
    query.extend(with.as_deref().map(|with| ("with", with)));
    html! {
        section.stack #timeline data-live aria-labelledby="timeline-title" {
            div.page-head {
                h2 #timeline-title { "Time line" }
                div.row.small {
                    @if !window.is_whole() {
                        span.muted { "Steps " (grouped(window.first)) "–" (grouped(window.last)) " of " (grouped(window.highest)) }
                    }
                    @if steps.len() > 1 {
                        a href=(with_query(run, &query)) { @if is_oldest_first { "Newest first" } @else { "Oldest first" } }
                    }
                }
            }
            (drafts(&view.drafts))
            @if steps.is_empty() && view.error.is_none() {
                p.card.empty.muted { "No step yet." }
            }
            ol.timeline {
                @for shown in steps {
                    (step(shown, &Place::new(visit, &view.summary, &format!("step-{}", shown.step), stands_at(view, shown.step))))
                }
            }
            (pager(visit, view))
        }
    }
}

/// Returns whether a run that has not ended stands at a step.
fn stands_at(view: &RunView, step: u64) -> bool {
    let has_ended = view.summary.status.is_ended() || view.summary.status == Status::Queued;
    !has_ended && view.steps.iter().all(|other| other.step <= step)
}

fn drafts(drafts: &[Draft]) -> Markup {
    html! {
        @for draft in drafts {
            @let key = draft.key.to_string();
            div.card id=(format!("draft-{key}")) aria-label="A reply that is being written" role="region" {
                div.row { strong { "Being written" } span.mono.small.muted { (shown(&key)) } }
                @if !draft.thought.is_empty() {
                    details.fold { summary { "Thoughts" } pre.block dir="auto" tabindex="0" { (shown(last_part(&draft.thought))) } }
                }
                pre.block.draft data-draft=(key) dir="auto" tabindex="0" aria-live="off" { (shown(last_part(&draft.text))) }
            }
        }
    }
}

/// Returns the end of a long text.
fn last_part(text: &str) -> &str {
    const MAX: usize = 10 * MAX_TEXT;
    let from = text.len().saturating_sub(MAX);
    let from = (from..=text.len()).find(|from| text.is_char_boundary(*from)).unwrap_or(0);
    beginning(&text[from..], MAX)
}

fn pager(visit: &Visit, view: &RunView) -> Markup {
    let window = view.window;
    html! {
        @if !window.is_whole() {
            nav.pager aria-label="Pages of the time line" {
                @if let Some(newer) = window.newer() {
                    a.button href=(page_with(visit, view, window.highest)) { "Newest" }
                    a.button rel="prev" href=(page_with(visit, view, newer)) { "Newer steps" }
                }
                @if let Some(older) = window.older() {
                    a.button rel="next" href=(page_with(visit, view, older)) { "Older steps" }
                    a.button href=(page_with(visit, view, window.lowest)) { "First" }
                }
            }
        }
    }
}

/// The address of the page of a run that has a step.
fn page_with(visit: &Visit, view: &RunView, step: u64) -> String {
    let mut query = vec![("with", step.to_string())];
    if let Some(order) = visit.query().filled("order").filter(|order| *order == "oldest") {
        query.push(("order", order.to_owned()));
    }
    let query: Vec<_> = query.iter().map(|(name, value)| (*name, value.as_str())).collect();
    with_query(visit.links().run(&view.summary.run), &query)
}
