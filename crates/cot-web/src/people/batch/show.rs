//! The form that answers several questions, and what it does.

use axum::{
    Extension,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use cot_store::RunId;
use futures_util::future::join_all;
use serde_json::Value;

use super::{
    group::Group,
    page::{Filled, page},
    report::{Outcome, Verdict, report},
    selection::{ALL, Listing, MAX_AT_ONCE, NONE, Selection},
};
use crate::{
    error::PageError,
    fields::Fields,
    people::{
        form::{
            action::Action,
            entered::Entered,
            form::{Form, FormIssues},
        },
        put::{PostedForm, Refusal},
        question::OpenQuestion,
        recent::RecentForms,
    },
    visit::Visit,
};

/// The number of answers that are stored at the same time: a store can commit them together.
const CONCURRENT: usize = 32;

pub(crate) async fn show(visit: Visit) -> Result<Response, PageError> {
    let group = group(&visit)?;
    let listing = Listing::load(&visit, &group).await?;
    Ok(page(&visit, &group, &listing, &Filled::default()).into_response())
}

pub(crate) async fn submit(
    visit: Visit,
    Extension(recent): Extension<RecentForms>,
    fields: Fields,
) -> Result<Response, PageError> {
    let group = group(&visit)?;
    let listing = Listing::load(&visit, &group).await?;
    let mut filled = Filled {
        selection: Selection::parse(&fields),
        entered: Entered::from_pairs(fields.iter()),
        ..Filled::default()
    };
    let button = fields.get("do").unwrap_or_default();
    let schema = listing.questions().next().map(|question| question.schema);
    match (button, Action::parse(button), schema) {
        (ALL, ..) => filled.selection = Selection::all(&listing),
        (NONE, ..) => filled.selection = Selection::default(),
        (_, Some(action), Some(schema)) => action.apply(&Form::new(schema), &mut filled.entered),
        _ => match check(&listing, &filled) {
            Ok(answer) => {
                let posted = PostedForm::new(&visit, &recent, &fields);
                let outcomes = store(&visit, &posted, &group, &filled.selection, answer).await;
                return Ok(report(&visit, &group, &outcomes).into_response());
            }
            Err((problem, issues)) => {
                (filled.problem, filled.issues) = (problem, issues);
                let page = page(&visit, &group, &listing, &filled);
                return Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response());
            }
        },
    }
    Ok(page(&visit, &group, &listing, &filled).into_response())
}

fn group(visit: &Visit) -> Result<Group, PageError> {
    Group::parse(visit.query()).ok_or_else(|| {
        PageError::bad_request("The address does not say which questions are answered.")
            .link(visit.links().people(), "What waits for people")
    })
}

/// Checks the selection and the answer before anything is stored. `None` if there is no open question left, so that the
/// answer can't be read.
fn check(
    listing: &Listing,
    filled: &Filled,
) -> Result<Option<Value>, (Option<String>, FormIssues)> {
    let selection = &filled.selection;
    let problem = match selection.len() {
        0 => Some("Select the questions that get this answer.".to_owned()),
        selected if selected > MAX_AT_ONCE => Some(format!(
            "{selected} questions are selected, and at most {MAX_AT_ONCE} are answered at once."
        )),
        _ => None,
    };
    let answer = listing.questions().next().map(|question| {
        Form::new(question.schema).read(&filled.entered, |answer| question.check(answer))
    });
    match (problem, answer.transpose()) {
        (None, Ok(answer)) => Ok(answer),
        (problem, answer) => Err((problem, answer.err().unwrap_or_default())),
    }
}

/// Stores the answer for each selected question by itself: one that is refused stops no other.
async fn store(
    visit: &Visit,
    posted: &PostedForm<'_>,
    group: &Group,
    selection: &Selection,
    answer: Option<Value>,
) -> Vec<Outcome> {
    let selected: Vec<_> = selection.iter().collect();
    let mut outcomes = Vec::with_capacity(selected.len());
    for some in selected.chunks(CONCURRENT) {
        let stored = some.iter().map(|(run, key)| async {
            let verdict = store_one(visit, posted, group, (run, key), answer.clone()).await;
            Outcome { run: run.clone(), verdict }
        });
        outcomes.extend(join_all(stored).await);
    }
    outcomes
}

async fn store_one(
    visit: &Visit,
    posted: &PostedForm<'_>,
    group: &Group,
    (run, key): (&RunId, &str),
    answer: Option<Value>,
) -> Verdict {
    if posted.is_stored(run) {
        return Verdict::Stored;
    }
    let summary = match visit.require_run(run).await {
        Ok(summary) => summary,
        Err(error) => return Verdict::Refused(error.line()),
    };
    let (Some(question), Some(answer)) = (OpenQuestion::with_key(&summary, key), answer) else {
        return Verdict::Refused(Refusal::Closed.line(&summary));
    };
    if !group.contains(&question) {
        return Verdict::Refused("Its question needs an answer of its own.".to_owned());
    }
    match posted.store(&question, answer, false).await {
        Ok(()) => Verdict::Stored,
        Err(Refusal::Answered) => Verdict::Answered,
        // The run can have moved on since it was looked at.
        Err(refusal) => {
            Verdict::Refused(refusal.line(&visit.require_run(run).await.unwrap_or(summary)))
        }
    }
}
