//! The head of the page of a run: what it is, where it stands, and what to do next.

use std::time::{Duration, SystemTime};

use cot_store::{RunSummary, SetAside, Status};
use maud::{Markup, html};

use super::load::RunView;
use crate::{
    frame::{
        form::post_button,
        number::{count, usage},
        pill::status_pills,
        text::shown,
        time::{absolute, relative, took},
    },
    visit::Visit,
};

/// The head of the page.
pub(super) fn head(visit: &Visit, view: &RunView) -> Markup {
    let run = &view.summary;
    let links = visit.links();
    html! {
        nav.crumbs aria-label="Path" {
            a href=(links.home()) { "Runs" } " › "
            a href=(links.home_with(&[("process", run.process.as_str())])) { (shown(&run.process)) }
        }
        div.page-head {
            h1.mono.wrap { (shown(run.run.as_str())) }
            div.row #actions data-live { (actions(visit, run)) }
        }
        section.card #head data-live aria-label="Summary" {
            div.row {
                (status_pills(run))
                @if !run.status.task().is_empty() { span { "at " strong.mono { (shown(run.status.task())) } } }
            }
            (standing(visit, view))
            dl.facts {
                dt { "Begun" } dd { (relative(run.begun, visit.now())) " · " (absolute(run.begun)) }
                dt { @if run.status.is_ended() { "Took" } @else { "Since then" } }
                dd { (took(lasted(run, visit.now()))) ", " (count(run.steps, "step", "steps")) ", last change " (relative(run.updated, visit.now())) }
                dt { "Usage" } dd { (usage(&run.usage)) }
                @if let Some(case) = &view.worst_case { dt { "At most" } dd { (case.to_string()) } }
                @if let Some(origin) = &run.origin {
                    dt { "Fork of" }
                    dd {
                        a href=(links.run(&origin.run)) { (shown(origin.run.as_str())) }
                        " at " a href=(links.step(&origin.run, origin.steps)) { "step " (origin.steps) }
                        " · " a href=(links.compare(Some(&origin.run), Some(&run.run))) { "compare" }
                    }
                }
                @if !view.forks.is_empty() {
                    dt { "Forks" }
                    dd {
                        @for (index, fork) in view.forks.iter().enumerate() {
                            @if index > 0 { ", " }
                            a href=(links.run(fork)) { (shown(fork.as_str())) }
                        }
                    }
                }
            }
        }
    }
}

fn lasted(run: &RunSummary, now: SystemTime) -> Duration {
    let end = if run.status.is_ended() { run.updated } else { now };
    end.duration_since(run.begun).unwrap_or_default()
}

fn actions(visit: &Visit, run: &RunSummary) -> Markup {
    let links = visit.links();
    let can_cancel = !run.status.is_ended() && run.cancel_requested.is_none();
    html! {
        @if matches!(run.status, Status::Asking { .. }) && !run.is_answered {
            a.button.button-primary href=(links.answer(&run.run)) { "Answer" }
        }
        @if run.status != Status::Queued && !visit.is_read_only() {
            a.button href=(links.fork(&run.run, None)) { "Fork" }
        }
        a.button href=(links.compare(Some(&run.run), None)) { "Compare" }
        @if run.status != Status::Queued { a.button href="#case" { "Make a case" } }
        @if run.set_aside.is_some() {
            (post_button(visit, &links.retry(&run.run), "Put back", "button", None))
        }
        @if can_cancel {
            (post_button(visit, &links.cancel(&run.run), "Cancel", "button button-danger", Some("Cancel this run?")))
        }
    }
}

/// Says where the run stands and what to do next.
fn standing(visit: &Visit, view: &RunView) -> Markup {
    let run = &view.summary;
    html! {
        @if let Some(request) = &run.cancel_requested {
            p.notice.notice-warn {
                "A cancel was requested " (relative(request.at, visit.now()))
                @if !request.reason.is_empty() { ": " (shown(&request.reason)) }
                @else { "." }
                @if !run.is_driven { " The next worker of the process applies it." }
            }
        }
        @if let Some(SetAside { why, at, .. }) = &run.set_aside {
            div.notice.notice-error {
                p { strong { "Set aside " (relative(*at, visit.now())) ": " } (shown(why)) }
                p { "Workers leave it alone. Correct the cause, then put it back." }
            }
        }
        @if let Some(error) = &run.driver_error { p.notice.notice-warn { (shown(error)) } }
        @match &run.status {
            Status::Queued => p { "It waits for a worker of the process " strong { (shown(&run.process)) } "." },
            Status::Running { .. } if !run.is_driven => p.notice.notice-warn {
                "No program drives this run. A worker of its process continues it, or " code { "resume" } " in a program."
            },
            Status::Running { .. } => {},
            Status::Asking { question, since, until, issues, .. } => div.notice.notice-warn {
                p { strong { "A person was asked " (relative(*since, visit.now())) ":" } }
                p.wrap { (shown(question)) }
                @if let Some(issues) = issues { p.bad { "The last answer was not accepted: " (shown(&issues.to_string())) } }
                @if let Some(until) = until { p { "The time limit ends " (relative(*until, visit.now())) "." } }
                @if run.is_answered { p { "An answer is stored; the next driver takes it." } }
                @else { p { a href=(visit.links().answer(&run.run)) { "Answer it" } "." } }
            },
            Status::Sleeping { until, .. } => p { "It continues " (relative(*until, visit.now())) "." },
            Status::Ended { why, .. } if why.is_empty() => {},
            Status::Ended { why, task, .. } => div.notice.notice-error {
                p.wrap { (shown(why)) }
                p {
                    @if let Some(step) = last_step_of(view, task) { a href=(format!("#step-{step}")) { "To the step" } " · " }
                    "Correct the cause, then "
                    a href=(visit.links().fork(&run.run, Some(run.steps.saturating_sub(1)))) { "fork it before the step" } "."
                }
            },
            _ => {},
        }
    }
}

fn last_step_of(view: &RunView, task: &str) -> Option<u64> {
    let of_task = view.steps.iter().rev().find(|step| step.task == task);
    of_task.or(view.steps.last()).map(|step| step.step)
}
