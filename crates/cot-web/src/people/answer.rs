//! The form that answers the question of a run.

use axum::{
    Extension,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use cot_store::{RunSummary, StoreError};
use maud::{Markup, html};
use serde_json::Value;

use super::{
    approval,
    context::{Rejected, aside, rejected},
    form::{
        action::Action,
        entered::Entered,
        form::{Form, FormIssues},
    },
    question::OpenQuestion,
    recent::{self, RecentForms},
    too_late,
};
use crate::{
    error::PageError,
    fields::Fields,
    frame::{
        flash::{Done, saying},
        form::form,
        page::{Page, Section, see_other},
        text::shown,
    },
    visit::{RunName, Visit},
};

/// The hidden field with the key of the question that the form was made for.
const KEY: &str = "key";
/// The hidden field of a form that was made when an answer was stored already.
const REPLACES: &str = "replaces";
/// The value of the button that sends the answer.
const SEND: &str = "send";

pub(crate) async fn show(visit: Visit, RunName(run): RunName) -> Result<Response, PageError> {
    let run = visit.require_run(&run).await?;
    let Some(question) = OpenQuestion::find(&run) else {
        return Err(too_late::page(&visit, &run, "The run asks nothing."));
    };
    let before = rejected(&visit, &question).await?;
    let form = Form::new(question.schema);
    let (mut entered, mut issues) = (Entered::default(), FormIssues::default());
    if let Some(Rejected { answer, .. }) = before.last() {
        entered = form.fill(answer);
    }
    if let Some(found) = question.issues {
        issues = form.locate(&entered, found);
    }
    let shown = Filled { entered: &entered, issues: &issues, is_new: true };
    Ok(page(&visit, &question, &before, shown).await.into_response())
}

pub(crate) async fn submit(
    visit: Visit,
    RunName(run): RunName,
    Extension(recent): Extension<RecentForms>,
    fields: Fields,
) -> Result<Response, PageError> {
    let run = visit.require_run(&run).await?;
    let this = recent::hash(&run.run, &fields);
    if recent.contains(this) {
        return Ok(answered(&visit, &run));
    }
    let key = fields.get(KEY).unwrap_or_default();
    let Some(question) = OpenQuestion::find(&run).filter(|open| open.key.to_string() == key) else {
        let what = "Nothing was stored: this question was answered, or its time has ended.";
        return Err(too_late::page(&visit, &run, what));
    };
    let form = Form::new(question.schema);
    let mut entered = Entered::from_pairs(fields.iter());
    let (mut issues, mut status) = (FormIssues::default(), StatusCode::OK);
    if let Some(action) = fields.get("do").and_then(Action::parse) {
        action.apply(&form, &mut entered);
    } else {
        match form.read(&entered, |answer| question.check(answer)) {
            Ok(answer) => {
                check_time(&visit, &question, &fields)?;
                recent.add(this);
                let stored = store(&visit, &question, answer).await;
                return stored.inspect_err(|_| recent.remove(this));
            }
            Err(found) => (issues, status) = (found, StatusCode::UNPROCESSABLE_ENTITY),
        }
    }
    let before = rejected(&visit, &question).await?;
    let shown = Filled { entered: &entered, issues: &issues, is_new: false };
    Ok((status, page(&visit, &question, &before, shown).await).into_response())
}

/// Refuses an answer that is too late, or that another one would be lost for.
fn check_time(
    visit: &Visit,
    question: &OpenQuestion<'_>,
    fields: &Fields,
) -> Result<(), PageError> {
    if question.run.is_answered && fields.get(REPLACES).is_none() {
        let what = "Somebody has answered it meanwhile, and that answer is stored.";
        return Err(too_late::page(visit, question.run, what));
    }
    match question.until.map(|until| visit.now().duration_since(until)) {
        Some(Ok(late)) => Err(too_late::overdue(visit, question.run, late)),
        _ => Ok(()),
    }
}

/// Stores an answer. The run can have taken another one since it was looked at.
async fn store(
    visit: &Visit,
    question: &OpenQuestion<'_>,
    answer: Value,
) -> Result<Response, PageError> {
    let run = &question.run.run;
    match visit.store().put_answer(run, question.key, answer).await {
        Err(StoreError::NotAsked { .. }) => {
            let run = visit.require_run(run).await?;
            Err(too_late::page(visit, &run, "The run has moved on."))
        }
        stored => {
            stored?;
            Ok(answered(visit, question.run))
        }
    }
}

fn answered(visit: &Visit, run: &RunSummary) -> Response {
    see_other(&saying(visit.links().run(&run.run), Done::Answered))
}

/// What a form shows.
#[derive(Clone, Copy)]
struct Filled<'a> {
    entered: &'a Entered,
    issues: &'a FormIssues,
    /// Whether nothing was posted yet.
    is_new: bool,
}

async fn page(
    visit: &Visit,
    question: &OpenQuestion<'_>,
    before: &[Rejected],
    filled: Filled<'_>,
) -> Markup {
    let run = question.run;
    let aside = aside(visit, question, before).await;
    let body = html! {
        p.crumbs { a href=(visit.links().people()) { "People" } " › " (shown(run.run.as_str())) }
        h1 { "A question from " (shown(&run.process)) }
        div.split {
            div.stack {
                section.card.question aria-label="The question" { p.prose dir="auto" { (shown(question.text)) } }
                @if run.is_answered && filled.is_new {
                    p.notice.notice-warn {
                        "An answer is stored already, and no program has taken it yet. Another answer replaces it."
                    }
                }
                (answer_form(visit, question, filled))
            }
            div.stack { (aside) }
        }
    };
    let title = format!("Answer {}", run.run);
    Page::new(visit, &title)
        .section(Section::People)
        .live(visit.links().run_live(&run.run))
        .body(body)
}

fn answer_form(visit: &Visit, question: &OpenQuestion<'_>, filled: Filled<'_>) -> Markup {
    let Filled { entered, issues, is_new } = filled;
    let run = question.run;
    let form_of_schema = Form::new(question.schema);
    let shown = form_of_schema.show(entered, issues);
    let is_plain = !approval::is_approval(question.schema);
    let rejected = is_new && question.issues.is_some();
    let body = html! {
        input type="hidden" name=(KEY) value=(question.key.to_string());
        @if run.is_answered { input type="hidden" name=(REPLACES) value="1"; }
        @if is_plain {
            // The button that the key Enter presses.
            button.visually-hidden type="submit" name="do" value=(SEND) formnovalidate tabindex="-1" aria-hidden="true" { "Send" }
            @if let Some(summary) = shown.summary {
                div.notice.notice-error #issues role="alert" tabindex="-1" {
                    h2 {
                        @if rejected { "The answer before was rejected" } @else { "The answer is not complete yet" }
                    }
                    (summary)
                }
            }
            (shown.fields)
            div.row {
                button.button.button-primary type="submit" name="do" value=(SEND) formnovalidate { "Send the answer" }
                @if Form::is_json(entered) {
                    button.button.button-quiet type="submit" name="do" value="fields:" formnovalidate { "Edit as fields" }
                } @else {
                    button.button.button-quiet type="submit" name="do" value="json:" formnovalidate { "Edit as JSON" }
                }
            }
        } @else { (approval::fields(entered, shown.summary)) }
    };
    html! {
        section.card #answer aria-labelledby="answer-title" data-fields {
            h2 #answer-title { "Your answer" }
            @if visit.is_read_only() {
                p { "This page is read-only: questions can't be answered here." }
            }
            (form(visit, &visit.links().answer(&run.run), body))
        }
    }
}
