//! The page of the state of a run after a step.

use cot_engine::Snapshot;
use cot_store::{RunId, StoreError, snapshot_at};
use maud::{Markup, html};
use serde_json::Value;

use super::{
    state_diff::{MAX_CHANGES, changes},
    tree::{scalar, tree},
};
use crate::{
    error::PageError,
    frame::{
        page::{Page, Section},
        text::shown,
    },
    visit::{RunName, StepNumber, Visit},
};

/// A state of a run.
struct State {
    task: String,
    goal: String,
    value: Value,
}

/// Shows the state after a number of steps, and what changed since the step before.
pub(super) async fn show(
    visit: Visit,
    RunName(run): RunName,
    StepNumber(step): StepNumber,
) -> Result<Markup, PageError> {
    let summary = visit.require_run(&run).await?;
    let state = state_at(&visit, &run, step).await?;
    let lowest = summary.origin.as_ref().map_or(0, |origin| origin.steps);
    let before = match step.checked_sub(1).filter(|before| *before >= lowest) {
        Some(before) => state_at(&visit, &run, before).await.ok(),
        None => None,
    };
    let links = visit.links();
    let body = html! {
        nav.crumbs aria-label="Path" {
            a href=(links.home()) { "Runs" } " › " a href=(links.run(&run)) { (shown(run.as_str())) }
        }
        div.page-head {
            h1 { @if step == lowest { "State at the start" } @else { "State after step " (step) } }
            div.row {
                @if step > lowest { a.button rel="prev" href=(links.step(&run, step - 1)) { "Step " (step - 1) } }
                @if step < summary.steps { a.button rel="next" href=(links.step(&run, step + 1)) { "Step " (step + 1) } }
                @if !visit.is_read_only() { a.button href=(links.fork(&run, Some(step))) { "Fork here" } }
            }
        }
        p {
            @if !state.task.is_empty() { "Next task: " strong.mono { (shown(&state.task)) } ". " }
            @if !state.goal.is_empty() { "Goal: " (shown(&state.goal)) }
        }
        @if let Some(before) = &before { (changed(&before.value, &state.value)) }
        section.card aria-labelledby="state-title" {
            h2 #state-title { "State" }
            (tree(&state.value))
        }
    };
    Ok(Page::new(&visit, &format!("{run}: step {step}")).section(Section::Runs).body(body))
}

async fn state_at(visit: &Visit, run: &RunId, step: u64) -> Result<State, StoreError> {
    let snapshot: Snapshot = snapshot_at(visit.store(), run, step).await?;
    let value = serde_json::from_str(snapshot.state().get()).unwrap_or_default();
    Ok(State { task: snapshot.task().to_owned(), goal: snapshot.goal().to_owned(), value })
}

fn changed(old: &Value, new: &Value) -> Markup {
    let changes = changes(old, new);
    html! {
        section.card aria-labelledby="changes-title" {
            h2 #changes-title { "What changed" }
            @if changes.is_empty() { p.muted { "Nothing: the state is that after the step before." } }
            @else {
                ul.plain.changes {
                    @for change in &changes {
                        li {
                            code { (shown(&change.path)) } " "
                            @match (change.old, change.new) {
                                (None, _) => span.small.muted { "added " },
                                (_, None) => span.small.muted { "removed " },
                                _ => span.small.muted { "changed " },
                            }
                            @if let Some(old) = change.old { del.diff-old { (scalar(old)) } " " }
                            @if let Some(new) = change.new { ins.diff-new { (scalar(new)) } }
                        }
                    }
                }
                @if changes.len() >= MAX_CHANGES { p.muted { "There are more changes." } }
            }
        }
    }
}
