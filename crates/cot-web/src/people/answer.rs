//! The form that answers the question of a run.

use axum::{
    Extension,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use cot_store::RunSummary;
use maud::{Markup, html};

use super::{
    approval,
    context::{Rejected, aside, rejected},
    controls::{Texts, controls, enter_button},
    form::{
        action::Action,
        entered::Entered,
        form::{Form, FormIssues},
    },
    put::{PostedForm, Refusal},
    question::OpenQuestion,
    recent::RecentForms,
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
    let posted = PostedForm::new(&visit, &recent, &fields);
    if posted.is_stored(&run.run) {
        return Ok(answered(&visit, &run));
    }
    let key = fields.get(KEY).unwrap_or_default();
    let Some(question) = OpenQuestion::with_key(&run, key) else {
        return Err(Refusal::Closed.page(&visit, &run));
    };
    let form = Form::new(question.schema);
    let mut entered = Entered::from_pairs(fields.iter());
    let (mut issues, mut status) = (FormIssues::default(), StatusCode::OK);
    if let Some(action) = fields.get("do").and_then(Action::parse) {
        action.apply(&form, &mut entered);
    } else {
        match form.read(&entered, |answer| question.check(answer)) {
            Ok(answer) => {
                return match posted.store(&question, answer, fields.get(REPLACES).is_some()).await {
                    Ok(()) => Ok(answered(&visit, &run)),
                    // The run can have moved on since it was looked at.
                    Err(refusal) => Err(refusal.page(&visit, &visit.require_run(&run.run).await?)),
                };
            }
            Err(found) => (issues, status) = (found, StatusCode::UNPROCESSABLE_ENTITY),
        }
    }
    let before = rejected(&visit, &question).await?;
    let shown = Filled { entered: &entered, issues: &issues, is_new: false };
    Ok((status, page(&visit, &question, &before, shown).await).into_response())
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
    let is_rejected = is_new && question.issues.is_some();
    let title = if is_rejected {
        "The answer before was rejected"
    } else {
        "The answer is not complete yet"
    };
    let body = html! {
        input type="hidden" name=(KEY) value=(question.key.to_string());
        @if run.is_answered { input type="hidden" name=(REPLACES) value="1"; }
        @if approval::is_approval(question.schema) {
            (approval::fields(entered, Form::new(question.schema).show(entered, issues).summary))
        } @else {
            (enter_button())
            (controls(question.schema, entered, issues, Texts { issues: title, send: "Send the answer" }))
        }
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
