//! A run as a case of an eval: the form on its page, and the file.

use axum::{
    http::header::{CONTENT_DISPOSITION, CONTENT_TYPE},
    response::{IntoResponse, Response},
};
use cot_store::{
    Status,
    internal::{CaseLineError, CaseParts, Right, case_line},
};
use maud::{Markup, html};

use super::{load::RunView, trust::names};
use crate::{
    error::PageError,
    frame::{
        form::{Field, textarea},
        text::shown,
    },
    visit::{RunName, Visit},
};

/// The form for what would be right. Nothing is stored, so that it is there in read-only mode, too.
pub(super) fn form(visit: &Visit, view: &RunView) -> Markup {
    let (run, marks) = (&view.summary, view.trust.as_ref());
    let private = marks.map(|marks| names(marks.get("private"))).unwrap_or_default();
    if run.status == Status::Queued {
        return html! {};
    }
    html! {
        details.fold #case {
            summary { "Make this a case" }
            form.form method="get" action=(visit.links().case(&run.run)) {
                p { "A case starts where this run started. Add its line to the cases of your eval, which then says whether it is right." }
                (Field::new("expected", "What would be right, as JSON")
                    .hint(Some("Of the type that your eval compares with. If it is empty, the case does not say it."))
                    .control(|attributes| textarea(attributes, "expected", 3, "")))
                @if !private.is_empty() || !view.is_described {
                    label.choice {
                        input type="checkbox" name="private" value="yes";
                        @if private.is_empty() {
                            span { "With private fields" span.choice-about { "Nothing describes the process, so that they are not known." } }
                        } @else {
                            span {
                                "With the private fields " code { (shown(&private)) }
                                span.choice-about { "Otherwise they and what tasks made of them are left out, and the eval asks for their values." }
                            }
                        }
                    }
                }
                div.row { button.button type="submit" { "Download the case" } }
            }
        }
    }
}

/// Gives the case as a file of one line.
pub(super) async fn download(visit: Visit, RunName(run): RunName) -> Result<Response, PageError> {
    let summary = visit.require_run(&run).await?;
    let right = match visit.query().filled("expected") {
        None => Right::Unsaid,
        Some(json) => Right::Json(serde_json::from_str(json).map_err(|error| no_json(&error))?),
    };
    let has_private = visit.query().filled("private").is_some();
    let parts = CaseParts { right, tags: Vec::new(), has_private };
    let case = case_line(visit.store(), &summary, &parts).await.map_err(|error| match error {
        CaseLineError::Store(error) => error.into(),
        error @ (CaseLineError::Undescribed { .. } | CaseLineError::Flattened { .. }) => {
            PageError::conflict(format!("{error}.")).advice("Tick the box below the field.")
        }
        error => PageError::internal(error.to_string()),
    })?;
    let headers = [
        (CONTENT_TYPE, "application/x-ndjson".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{run}.jsonl\"")),
    ];
    Ok((headers, format!("{}\n", case.get())).into_response())
}

fn no_json(error: &serde_json::Error) -> PageError {
    PageError::bad_request(format!("What would be right is not JSON: {error}."))
        .advice("A text has quotes, as in \"refund\".")
}
