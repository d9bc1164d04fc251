//! What became of each answer.

use cot_store::RunId;
use maud::{Markup, html};

use super::group::Group;
use crate::{
    frame::{
        number::count,
        page::{Page, Section},
        pill::{Tone, pill},
        table::table,
        text::shown,
    },
    visit::Visit,
};

/// What became of the answer to a run.
pub(super) struct Outcome {
    pub(super) run: RunId,
    pub(super) verdict: Verdict,
}

/// Whether an answer was stored.
#[derive(PartialEq, Eq)]
pub(super) enum Verdict {
    Stored,
    /// There was another answer already.
    Answered,
    /// It was not stored, for this reason.
    Refused(String),
}

/// Says what became of each answer, first of those that were not stored.
pub(super) fn report(visit: &Visit, group: &Group, outcomes: &[Outcome]) -> Markup {
    let is_stored = |outcome: &&Outcome| outcome.verdict == Verdict::Stored;
    let stored = outcomes.iter().filter(is_stored).count();
    let others = outcomes.iter().filter(|outcome| !is_stored(outcome));
    let title = match (stored, outcomes.len()) {
        (stored, all) if stored == all => format!("{} stored", answers(stored)),
        (0, _) => "No answer is stored".to_owned(),
        (stored, all) => format!("{stored} of {} stored", answers(all)),
    };
    let search = visit.query().filled("q");
    let body = html! {
        p.crumbs { a href=(visit.links().people()) { "People" } " › " (shown(&group.process)) " › " (shown(&group.task)) }
        h1 { (title) }
        p { "The program that drives a run takes its answer, or the next one that does." }
        (table("The answers, first those that are not stored", &[("Run", false), ("Answer", false)], html! {
            @for outcome in others.chain(outcomes.iter().filter(is_stored)) { (row(visit, outcome)) }
        }))
        div.row {
            a.button href=(group.address(visit.links(), search)) { "Questions of this task" }
            a.button.button-quiet href=(visit.links().people()) { "What waits for people" }
        }
    };
    Page::new(visit, &title).section(Section::People).body(body)
}

fn answers(number: usize) -> String {
    count(u64::try_from(number).unwrap_or(u64::MAX), "answer is", "answers are")
}

fn row(visit: &Visit, Outcome { run, verdict }: &Outcome) -> Markup {
    html! {
        tr {
            th scope="row" { a.mono href=(visit.links().run(run)) { (shown(run.as_str())) } }
            td data-label="Answer" {
                div {
                    @match verdict {
                        Verdict::Stored => (pill(Tone::Good, "stored")),
                        Verdict::Answered => {
                            (pill(Tone::Waiting, "answered already"))
                            span.sub { "Somebody has answered it meanwhile, and that answer is kept." }
                        }
                        Verdict::Refused(why) => { (pill(Tone::Bad, "not stored")) span.sub { (shown(why)) } }
                    }
                }
            }
        }
    }
}
