//! The page that forks a run.

use cot_store::{Answer, RunHistory, RunSummary, StepHistory};
use maud::{Markup, html};
use serde_json::Value;

use super::json_text;
use crate::{
    error::PageError,
    frame::{
        form::{Field, form, input, select, textarea},
        page::{Page, Section},
        text::{json, shown},
    },
    visit::Visit,
};

/// The position at which a run is forked.
pub(super) struct Position {
    pub(super) run: RunSummary,
    pub(super) at: u64,
    pub(super) state: Value,
    pub(super) goal: String,
}

/// What was entered into the form, with issues.
#[derive(Default)]
pub(super) struct Entered {
    pub(super) name: String,
    pub(super) state: String,
    pub(super) goal: String,
    pub(super) name_issues: Vec<String>,
    pub(super) state_issues: Vec<String>,
}

pub(super) async fn page(
    visit: &Visit,
    position: &Position,
    entered: &Entered,
) -> Result<Markup, PageError> {
    let Position { run, at, .. } = position;
    let history = RunHistory::load_without_prompts(visit.store(), &run.run).await?;
    let steps = history.map(|history| history.steps).unwrap_or_default();
    let links = visit.links();
    let next = steps.iter().find(|step| step.step > *at);
    let body = html! {
        p.crumbs { a href=(links.home()) { "Runs" } " › " a href=(links.run(&run.run)) { (shown(run.run.as_str())) } }
        h1 { "Fork " (shown(run.run.as_str())) }
        p.muted {
            "A fork is a new run that continues an earlier step with another state. The original run stays as it is."
        }
        (choice_of_step(visit, position, &steps))
        section.card aria-labelledby="fork-title" {
            h2 #fork-title { (after(*at, &steps)) }
            @if let Some(next) = next {
                p { "The fork continues at " code { (shown(&next.task)) } "."
                    @if is_question(next) {
                        " This task asks a person: the fork asks again, so that another answer can be given."
                    }
                }
            } @else if run.status.is_ended() {
                p.notice.notice-warn { "The run has ended here, and so will the fork. Choose an earlier step to continue it." }
            }
            @if visit.is_read_only() {
                p { "This page is read-only: nothing can be forked here." }
                (json(&position.state))
            } @else { (fork_form(visit, position, entered)) }
        }
    };
    Ok(Page::new(visit, &format!("Fork {}", run.run)).section(Section::Runs).body(body))
}

fn is_question(step: &StepHistory) -> bool {
    step.attempts.iter().any(|attempt| matches!(attempt.answer, Some(Answer::Answered(_))))
}

/// Names a position by the step before it.
fn after(at: u64, steps: &[StepHistory]) -> String {
    match steps.iter().rfind(|step| step.step <= at) {
        _ if at == 0 => "At the start".to_owned(),
        Some(step) => format!("After step {at}, {}", step.task),
        None => format!("After step {at}"),
    }
}

fn choice_of_step(visit: &Visit, position: &Position, steps: &[StepHistory]) -> Markup {
    let Position { run, at, .. } = position;
    let first = run.origin.as_ref().map_or(0, |origin| origin.steps);
    let mut numbers: Vec<u64> =
        steps.iter().map(|step| step.step).filter(|step| *step > first).collect();
    numbers.extend([first, *at, run.steps]);
    numbers.sort_unstable();
    numbers.dedup();
    let options: Vec<_> =
        numbers.iter().map(|number| (number.to_string(), after(*number, steps))).collect();
    let options: Vec<_> =
        options.iter().map(|(value, text)| (value.as_str(), text.as_str())).collect();
    html! {
        form.filters method="get" action=(visit.links().fork(&run.run, None)) data-submit-on-change {
            div.field-wide {
                (Field::new("at", "Where to fork").control(|attributes| {
                    select(attributes, "at", &options, &at.to_string())
                }))
            }
            button.button type="submit" { "Show its state" }
        }
    }
}

fn fork_form(visit: &Visit, position: &Position, entered: &Entered) -> Markup {
    let Position { run, at, .. } = position;
    let body = html! {
        input type="hidden" name="at" value=(at);
        (Field::new("name", "Name of the fork")
            .hint(Some("Letters, digits, and . - _ :"))
            .issues(&entered.name_issues)
            .required()
            .control(|attributes| input(attributes, "name", "text", &entered.name)))
        (Field::new("state", "State, as JSON")
            .hint(Some("The process checks it when the fork is driven: a state that does not fit sets the fork aside."))
            .issues(&entered.state_issues)
            .required()
            .control(|attributes| json_text::area(attributes, "state", &entered.state)))
        (Field::new("goal", "Goal")
            .control(|attributes| textarea(attributes, "goal", 2, &entered.goal)))
        div.row { button.button.button-primary type="submit" { "Create the fork" } }
    };
    form(visit, &visit.links().fork(&run.run, None), body)
}
