//! What a journal tells of a run.

use std::sync::Arc;

use cot_engine::{RunEvent, Snapshot};
use cot_store::{
    AttemptHistory, Record, RunId, RunSummary, Store, StoreError, internal::read_journal,
};
use serde_json::value::RawValue;

/// What a journal tells of a run.
#[derive(Debug)]
pub(super) struct StoredRun {
    pub(super) summary: RunSummary,
    /// The goal, or else the state at the start, as JSON.
    pub(super) goal: String,
    pub(super) parts: Vec<Part>,
}

/// A part of a journal. An answer precedes the events that it leads to.
#[derive(Debug)]
pub(super) enum Part {
    Answer(Box<AttemptHistory>),
    Event(RunEvent),
}

impl StoredRun {
    /// Reads a run; `None` for one that does not exist.
    pub(super) async fn load(store: &dyn Store, run: &RunId) -> Result<Option<Self>, StoreError> {
        let (mut goal, mut parts) = (String::new(), Vec::new());
        let summary = read_journal(store, run, |entry| match entry.record {
            Record::Submitted(submitted) => {
                goal =
                    goal_or_state(submitted.goal.as_deref().unwrap_or_default(), &submitted.state);
            }
            Record::Begun(begun) => {
                // One that can't be read is reported when the run is resumed.
                if let Ok(snapshot) = Snapshot::from_json(begun.snapshot.get()) {
                    goal = goal_or_state(snapshot.goal(), snapshot.state());
                }
            }
            Record::Event(event) => {
                let answer = AttemptHistory::from_event(event).map(|mut answer| {
                    // Prompts are long, and in no trace.
                    answer.prompt = answer.prompt.map(|_| Arc::default());
                    Part::Answer(Box::new(answer))
                });
                parts.extend(answer);
            }
            Record::Step(step) => parts.extend(step.notes.into_iter().map(Part::Event)),
        });
        Ok(summary.await?.map(|summary| Self { summary, goal, parts }))
    }
}

fn goal_or_state(goal: &str, state: &RawValue) -> String {
    if goal.trim().is_empty() { state.get().to_owned() } else { goal.to_owned() }
}
