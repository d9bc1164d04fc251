//! A step of the time line.

use cot_engine::BranchOutcome;
use cot_store::StepHistory;
use maud::{Markup, html};

use super::{
    attempt::attempt,
    items::items,
    passages::passages,
    place::Place,
    text::{Whole, json},
    tools::tools,
};
use crate::frame::{
    number::usage,
    pill::{Tone, pill},
    text::{excerpt, shown},
    time::{calls_took, relative},
};

/// Sub-processes in sub-processes deeper than this are not shown.
const MAX_DEPTH: usize = 12;
/// The number of steps of sub-processes of one step that are shown.
const MAX_NESTED: usize = 200;

/// A step with its attempts, and the steps of its sub-processes.
pub(super) fn step(step: &StepHistory, place: &Place<'_>) -> Markup {
    let class = match step.route.as_deref() {
        None if place.is_here => "event event-active",
        None => "event",
        Some(_) if step.is_committed => "event event-good",
        Some("end") => "event",
        Some(_) if step.attempts.last().is_some_and(|last| last.failure.is_some()) => {
            "event event-bad"
        }
        Some(_) => "event event-good",
    };
    html! {
        li class=(class) id=(place.id) {
            (head(step, place))
            (transition(step))
            (branches(step))
            @if step.items_done.is_empty() && step.items_failed.is_empty() && step.attempts.iter().all(|it| it.item.is_none()) {
                @for (index, shown) in step.attempts.iter().enumerate() {
                    (attempt(shown, index.checked_sub(1).and_then(|before| step.attempts.get(before)), place))
                }
            } @else {
                (items(step, place))
            }
            (tools(&step.tools, place))
            (passages(step, place))
            @if let Some(output) = &step.output {
                @if !is_reply(step) {
                    details.fold { summary { "Output" } div { (json(output, &Whole::default())) } }
                }
            }
            (nested(step, place))
        }
    }
}

/// Returns whether the output is the value of the last reply, which is shown.
fn is_reply(step: &StepHistory) -> bool {
    use cot_store::Answer;

    step.attempts.last().is_some_and(|last| {
        matches!(&last.answer, Some(Answer::Returned(value) | Answer::Answered(value)) if Some(value) == step.output.as_ref())
            || matches!(&last.answer, Some(Answer::Replied { text, .. })
                if last.repairs.is_empty() && serde_json::from_str(text).ok().as_ref() == step.output.as_ref())
    })
}

fn head(step: &StepHistory, place: &Place<'_>) -> Markup {
    let spent = step.usage();
    html! {
        div.row.event-head {
            h3 {
                @if place.depth == 0 {
                    span.muted.num { (step.step) " " }
                }
                @if let Some(process) = &step.process { span.muted { (shown(process)) " › " } }
                span.mono { (shown(&step.task)) }
                @if let Some(item) = step.item { span.muted { " item " (item) } }
            }
            @if place.is_here { (pill(Tone::Active, "here")) }
            @if let (Some(next), Some(route)) = (&step.next, &step.route) {
                span.small { "→ " span.mono { (shown(next)) } span.muted { " (" (shown(&route.replace('_', " "))) ")" } }
            }
            span.push.event-time {
                (calls_took(step))
                @if spent.calls > 0 { " · " (usage(&spent)) }
                @if let Some(at) = step.finished { " · " (relative(at, place.visit.now())) }
            }
        }
        @if place.depth == 0 {
            p.small {
                a href=(place.visit.links().step(place.run, step.step)) { "State after this step" }
                @if !place.visit.is_read_only() {
                    " · " a href=(place.visit.links().fork(place.run, Some(step.step.saturating_sub(1)))) { "Fork before it" }
                }
            }
        }
    }
}

fn transition(step: &StepHistory) -> Markup {
    html! {
        @if let Some(chosen) = &step.transition {
            p.small.wrap {
                "The model chose " strong.mono { (shown(&chosen.go_to)) }
                @if !chosen.intent.is_empty() { ": “" (excerpt(&chosen.intent, 600)) "”" }
                @if !chosen.step_after.is_empty() { span.muted { " Then: " (excerpt(&chosen.step_after, 300)) } }
            }
        } @else if step.route.as_deref() == Some("only_transition") {
            p.small.wrap {
                "No model was asked: " strong.mono { (shown(step.next.as_deref().unwrap_or_default())) }
                " was the only open transition."
            }
        }
    }
}

fn branches(step: &StepHistory) -> Markup {
    html! {
        @if !step.branches.is_empty() {
            ul.plain.row {
                @for branch in &step.branches {
                    li {
                        @match &branch.outcome {
                            BranchOutcome::Joined => (pill(Tone::Good, &format!("branch {} joined", branch.branch))),
                            BranchOutcome::Failed(why) => {
                                (pill(Tone::Bad, &format!("branch {} failed", branch.branch)))
                                " " span.small.bad { (excerpt(why, 400)) }
                            },
                            BranchOutcome::Cancelled => (pill(Tone::Plain, &format!("branch {} cancelled", branch.branch))),
                        }
                    }
                }
            }
        }
    }
}

fn nested(outer: &StepHistory, place: &Place<'_>) -> Markup {
    let steps = &outer.nested;
    if steps.is_empty() || place.depth >= MAX_DEPTH {
        return html! {};
    }
    let process = steps.iter().find_map(|step| step.process.as_deref()).unwrap_or("sub-process");
    html! {
        details.fold open[!outer.is_finished()] id=(format!("{}-nested", place.id)) {
            summary { "Steps of " (shown(process)) ": " (steps.len()) }
            ol.timeline {
                @for (index, inner) in steps.iter().enumerate().take(MAX_NESTED) { (step(inner, &place.nested(inner, index))) }
            }
            @if steps.len() > MAX_NESTED { p.muted { (steps.len() - MAX_NESTED) " more steps are not shown." } }
        }
    }
}
