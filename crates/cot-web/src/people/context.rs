//! What a person sees beside a question: the run, its state, and the answers before.

use cot_schema::Issues;
use cot_store::{Answer, RunHistory, snapshot_at};
use maud::{Markup, html};
use serde_json::Value;

use super::{inbox::deadline, question::OpenQuestion};
use crate::{
    error::PageError,
    frame::{
        pill::status_pills,
        text::{json, shown},
        time::relative,
    },
    visit::Visit,
};

/// An answer that was rejected.
pub(super) struct Rejected {
    pub(super) answer: Value,
    pub(super) issues: Issues,
}

/// Returns the rejected answers to a question, the last one last. Only a question that was asked again has some.
pub(super) async fn rejected(
    visit: &Visit,
    question: &OpenQuestion<'_>,
) -> Result<Vec<Rejected>, PageError> {
    if question.issues.is_none() {
        return Ok(Vec::new());
    }
    let history = RunHistory::load_without_prompts(visit.store(), &question.run.run).await?;
    let mut found = Vec::new();
    if let Some(step) = history.as_ref().and_then(|history| history.visit(question.key)) {
        for attempt in step.attempts.iter().filter(|attempt| attempt.failure.is_some()) {
            if let Some(Answer::Answered(answer)) = &attempt.answer {
                found.push(Rejected { answer: answer.clone(), issues: attempt.issues.clone() });
            }
        }
    }
    Ok(found)
}

/// Renders the facts of the run, its state, and the rejected answers.
pub(super) async fn aside(
    visit: &Visit,
    question: &OpenQuestion<'_>,
    rejected: &[Rejected],
) -> Markup {
    let (links, run, now) = (visit.links(), question.run, visit.now());
    html! {
        section.card #facts aria-labelledby="facts-title" data-live {
            h2 #facts-title { "The run" }
            dl.facts {
                dt { "Run" } dd { a.mono href=(links.run(&run.run)) { (shown(run.run.as_str())) } }
                dt { "Process" } dd { (shown(&run.process)) }
                dt { "Task" } dd.mono { (shown(question.task)) }
                dt { "Status" } dd { (status_pills(run)) }
                dt { "Asked" } dd { (relative(question.since, now)) }
                dt { "Deadline" } dd { (deadline(question.until, now)) }
                dt { "Attempt" } dd { (question.key.attempt()) }
            }
            p { a href=(links.run(&run.run)) { "What the run has done so far" } }
        }
        (state(visit, question).await)
        @if !rejected.is_empty() {
            section.card aria-labelledby="before-title" {
                h2 #before-title { "Answers that were rejected" }
                @for Rejected { answer, issues } in rejected {
                    details.fold {
                        summary { (shown(&issues.to_string())) }
                        (json(answer))
                    }
                }
            }
        }
    }
}

async fn state(visit: &Visit, question: &OpenQuestion<'_>) -> Markup {
    let run = question.run;
    let state = match snapshot_at(visit.store(), &run.run, run.steps).await {
        Ok(snapshot) => {
            serde_json::from_str::<Value>(snapshot.state().get()).map_err(|error| error.to_string())
        }
        Err(error) => Err(error.to_string()),
    };
    html! {
        details.fold {
            summary { "The state of the run" }
            @match state {
                Ok(state) => (json(&state)),
                Err(error) => p.bad { "It can't be read: " (shown(&error)) },
            }
        }
    }
}
