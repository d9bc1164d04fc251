//! Submits a run.

use std::{str::FromStr, time::Duration};

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use cot_engine::Budget;
use cot_store::{RunId, Submission, snapshot_at};
use maud::{Markup, html};

use super::{json_text, names};
use crate::{
    error::PageError,
    fields::Fields,
    frame::{
        flash::{Done, saying},
        form::{Field, form, input, textarea},
        page::{Page, Section, see_other},
        text::shown,
    },
    visit::Visit,
};

/// Issues by the names of their fields.
type FieldIssues = Vec<(&'static str, String)>;

/// The limits of a run: the names of their fields, labels and hints.
const LIMITS: [(&str, &str, &str); 5] = [
    ("steps", "Steps", "At most so many tasks."),
    ("seconds", "Seconds", "At most so long, for all calls together."),
    ("calls", "Model calls", "At most so many."),
    ("tokens", "Tokens", "Of prompts and replies."),
    ("cost", "Cost", "In the currency of the prices."),
];

/// The form; with `like`, for a run that begins as another one did.
pub(crate) async fn show(visit: Visit) -> Result<Markup, PageError> {
    let query = visit.query();
    let mut fields: Vec<(String, String)> =
        query.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    if let Some(like) = query.parsed::<RunId>("like") {
        let run = visit.require_run(&like).await?;
        let first = run.origin.as_ref().map_or(0, |origin| origin.steps);
        let snapshot = snapshot_at(visit.store(), &like, first).await?;
        let state: Option<serde_json::Value> = serde_json::from_str(snapshot.state().get()).ok();
        let state = state.and_then(|state| serde_json::to_string_pretty(&state).ok());
        fields.push(("process".to_owned(), run.process));
        fields.push(("state".to_owned(), state.unwrap_or_default()));
        fields.push(("goal".to_owned(), snapshot.goal().to_owned()));
    }
    let value = |name: &str| {
        fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    };
    page(&visit, &value, &Vec::new()).await
}

async fn page<'a>(
    visit: &Visit,
    value: &impl Fn(&str) -> Option<&'a str>,
    issues: &FieldIssues,
) -> Result<Markup, PageError> {
    let processes = visit.store().processes().await?;
    let of = |name: &str| -> Vec<String> {
        issues.iter().filter(|(field, _)| *field == name).map(|(_, issue)| issue.clone()).collect()
    };
    let text = |name: &str| value(name).unwrap_or_default();
    let (process_issues, name_issues, state_issues) = (of("process"), of("name"), of("state"));
    let fields = html! {
        (Field::new("process", "Process").required().issues(&process_issues)
            .hint(Some("The name of a process that a worker over this store has."))
            .control(|attributes| html! {
                input id=(attributes.id) name="process" type="text" list="processes" value=(text("process"))
                    autocomplete="off" aria-describedby=[attributes.described_by.as_deref()]
                    aria-invalid=[attributes.invalid];
                datalist #processes { @for process in &processes { option value=(process.name) {} } }
            }))
        (Field::new("state", "State, as JSON").required().issues(&state_issues)
            .hint(Some("The worker reads it into the state of the process, and sets the run aside if it does not fit."))
            .control(|attributes| json_text::area(attributes, "state", value("state").unwrap_or("{}"))))
        (Field::new("name", "Name of the run").issues(&name_issues)
            .hint(Some("Letters, digits, and . - _ : It is generated if you leave it empty."))
            .control(|attributes| input(attributes, "name", "text", text("name"))))
        (Field::new("goal", "Goal").hint(Some("Instead of that of the process."))
            .control(|attributes| textarea(attributes, "goal", 2, text("goal"))))
        fieldset {
            legend { "Limits" }
            div.grid {
                @for (name, label, hint) in LIMITS {
                    @let issues = of(name);
                    (Field::new(name, label).hint(Some(hint)).issues(&issues).control(|attributes| html! {
                        input id=(attributes.id) name=(name) type="text" inputmode="decimal" value=(text(name))
                            autocomplete="off" aria-describedby=[attributes.described_by.as_deref()]
                            aria-invalid=[attributes.invalid];
                    }))
                }
            }
        }
        div.row { button.button.button-primary type="submit" { "Submit the run" } }
    };
    let body = html! {
        h1 { "Start a run" }
        p.muted { "The run is stored at once. A worker of its process begins it, now or when there is one." }
        @if visit.is_read_only() { p.notice.notice-info { "This page is read-only: nothing can be started here." } }
        @else {
            section.card aria-label="The run" { (form(visit, &visit.links().start(), fields)) }
            @if !processes.is_empty() {
                p.small.muted {
                    "Processes that this store knows: "
                    @for (index, process) in processes.iter().enumerate() {
                        @if index > 0 { ", " }
                        code { (shown(&process.name)) }
                    }
                }
            }
        }
    };
    Ok(Page::new(visit, "Start a run").section(Section::Start).body(body))
}

pub(crate) async fn submit(visit: Visit, fields: Fields) -> Result<Response, PageError> {
    let mut issues = FieldIssues::new();
    if let Some(submission) = submission(&visit, &fields, &mut issues) {
        match visit.store().submit(submission).await {
            Ok(run) => {
                return Ok(
                    see_other(&saying(visit.links().run(&run), Done::Submitted)).into_response()
                );
            }
            Err(error) => issues.push(("name", names::taken(error)?)),
        }
    }
    let page = page(&visit, &|name: &str| fields.get(name), &issues).await?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}

/// Reads the form; `None` if there are issues.
fn submission(visit: &Visit, fields: &Fields, issues: &mut FieldIssues) -> Option<Submission> {
    let process = fields.filled("process");
    if process.is_none() {
        issues.push(("process", "The run needs a process.".to_owned()));
    }
    let name = names::entered(fields).map_err(|issue| issues.push(("name", issue)));
    let state = json_text::parse(fields.get("state").unwrap_or_default());
    let state = state.map_err(|issue| issues.push(("state", issue)));
    let whole = "This is not a whole number.";
    let steps = limit::<u64>(fields, "steps", whole, issues);
    let calls = limit::<u64>(fields, "calls", whole, issues);
    let tokens = limit::<u64>(fields, "tokens", whole, issues);
    let seconds = positive(fields, "seconds", issues);
    let cost = positive(fields, "cost", issues);
    if !issues.is_empty() {
        return None;
    }
    let mut submission = Submission::new(process?, &state.ok()?, visit.now()).ok()?;
    if let Some(name) = name.ok()? {
        submission = submission.run_id(name);
    }
    if let Some(goal) = fields.filled("goal") {
        submission = submission.goal(goal.replace("\r\n", "\n"));
    }
    if let Some(steps) = steps {
        submission = submission.max_steps(steps);
    }
    if let Some(limit) = seconds.and_then(|limit| Duration::try_from_secs_f64(limit).ok()) {
        submission = submission.timeout(limit);
    }
    let budget = Budget { tokens, calls, cost };
    Some(if budget == Budget::NONE { submission } else { submission.budget(budget) })
}

fn limit<T: FromStr>(
    fields: &Fields,
    name: &'static str,
    issue: &str,
    issues: &mut FieldIssues,
) -> Option<T> {
    let parsed = fields.filled(name)?.parse();
    parsed.map_err(|_| issues.push((name, issue.to_owned()))).ok()
}

fn positive(fields: &Fields, name: &'static str, issues: &mut FieldIssues) -> Option<f64> {
    let number: f64 = limit(fields, name, "This is not a number.", issues)?;
    if number.is_finite() && (0.0..=1e12).contains(&number) {
        return Some(number);
    }
    issues.push((name, "This is not a number from 0 to 10¹².".to_owned()));
    None
}
