//! Answers that come too late.

use std::time::Duration;

use axum::http::StatusCode;
use cot_store::{RunSummary, SetAside, Status};

use crate::{
    error::PageError,
    frame::{pill::status_words, time::rough},
    visit::Visit,
};

/// What is said of a question that is not open any more.
pub(super) const CLOSED: &str =
    "Nothing was stored: this question was answered, or its time has ended.";

/// The page for a question that is not open (any more): what the run does now.
pub(super) fn page(visit: &Visit, run: &RunSummary, what: &str) -> PageError {
    let page = PageError::new(
        StatusCode::CONFLICT,
        "This question is not open",
        format!("{what} {}", now(run)),
    );
    let page = match run.status {
        Status::Asking { .. } => {
            page.link(visit.links().answer(&run.run), "The question of the run")
        }
        _ => page,
    };
    page.link(visit.links().run(&run.run), "The run")
        .link(visit.links().people(), "What waits for people")
}

/// The page for a question whose time has ended.
pub(super) fn overdue(visit: &Visit, run: &RunSummary, late: Duration) -> PageError {
    let what = format!("The time for an answer ended {} ago. Nothing was stored.", rough(late));
    let page = PageError::new(StatusCode::CONFLICT, "The deadline has passed", what);
    page.advice("The next program that drives the run lets the question time out.")
        .link(visit.links().run(&run.run), "The run")
        .link(visit.links().people(), "What waits for people")
}

/// Says what a run does.
pub(super) fn now(run: &RunSummary) -> String {
    let (name, task) = (&run.run, run.status.task());
    if let Some(SetAside { why, .. }) = &run.set_aside {
        return format!("Run {name} is set aside: {why}.");
    }
    match &run.status {
        Status::Asking { question, .. } => {
            format!(
                "Run {name} now asks at {task}: {}",
                question.chars().take(200).collect::<String>()
            )
        }
        Status::Queued => format!("Run {name} has not begun."),
        Status::Ended { why, .. } if why.is_empty() => {
            format!("Run {name} has ended at {task}: it {}.", status_words(&run.status))
        }
        Status::Ended { why, .. } => format!("Run {name} has ended at {task}: {why}."),
        status => format!("Run {name} is {} at {task}.", status_words(status)),
    }
}
