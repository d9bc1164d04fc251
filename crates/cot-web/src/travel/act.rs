//! Cancels a run, and puts one back that was set aside.

use axum::response::{IntoResponse, Response};
use cot_store::{CancelRequest, Status};
use maud::{Markup, html};

use crate::{
    error::PageError,
    fields::Fields,
    frame::{
        flash::{Done, saying},
        form::{Field, form, input},
        page::{Page, Section, see_other},
        pill::{status_pills, status_words},
        text::shown,
    },
    visit::{RunName, Visit},
};

/// The longest reason, in characters.
const MAX_REASON: usize = 2_000;

/// The page that asks why a run is cancelled.
pub(crate) async fn ask_cancel(visit: Visit, RunName(run): RunName) -> Result<Markup, PageError> {
    let run = visit.require_run(&run).await?;
    let links = visit.links();
    let body = html! {
        p.crumbs { a href=(links.home()) { "Runs" } " › " a href=(links.run(&run.run)) { (shown(run.run.as_str())) } }
        h1 { "Cancel " (shown(run.run.as_str())) }
        section.card {
            p { (status_pills(&run)) }
            @if run.status.is_ended() { p { "The run has ended already." } }
            @else {
                p.muted { "The run ends where it is. It can be forked from any of its steps." }
                (form(&visit, &links.cancel(&run.run), html! {
                    (Field::new("reason", "Reason").hint(Some("The run ends with it."))
                        .control(|attributes| input(attributes, "reason", "text", "")))
                    div.row { button.button.button-danger type="submit" { "Cancel the run" } }
                }))
            }
        }
    };
    Ok(Page::new(&visit, &format!("Cancel {}", run.run)).section(Section::Runs).body(body))
}

pub(crate) async fn cancel(
    visit: Visit,
    RunName(run): RunName,
    fields: Fields,
) -> Result<Response, PageError> {
    let summary = visit.require_run(&run).await?;
    let links = visit.links();
    if let Status::Ended { task, .. } = &summary.status {
        let message = format!(
            "Run {run} has ended already, at {task}: it {}.",
            status_words(&summary.status)
        );
        return Err(PageError::conflict(message).link(links.run(&run), "The run"));
    }
    let reason: String =
        fields.filled("reason").unwrap_or_default().chars().take(MAX_REASON).collect();
    visit.store().request_cancel(&run, CancelRequest::new(reason, visit.now())).await?;
    Ok(see_other(&saying(links.run(&run), Done::Cancelled)).into_response())
}

pub(crate) async fn retry(visit: Visit, RunName(run): RunName) -> Result<Response, PageError> {
    let summary = visit.require_run(&run).await?;
    let links = visit.links();
    if !visit.store().retry(&run).await? {
        let message =
            format!("Run {run} is not set aside: it is {}.", status_words(&summary.status));
        return Err(PageError::conflict(message).link(links.run(&run), "The run"));
    }
    Ok(see_other(&saying(links.run(&run), Done::Retried)).into_response())
}
