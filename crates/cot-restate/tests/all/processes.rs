//! The processes that are run.

use std::collections::HashMap;

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Note {
    pub(crate) text: String,
}

/// What somebody decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Decision {
    pub(crate) approved: bool,
    #[schemars(length(max = 10))]
    pub(crate) remark: Option<String>,
}

cot_process! {
    /// Comes through a task of every kind.
    pub(crate) process Tour {
        state: {
            input words: Vec<String>,
            draft: String = String::new(),
            notes: Vec<Note> = vec![],
            length: usize = 0,
            inner: String = String::new(),
            decision: Option<Decision> = None,
        },
        max_retries: 1,

        task draft -> Note {
            prompt: "A draft of ${state.words.len()} words.",
            check: no_first_draft,
            update: { draft = output.text },
            next: explain,
        }

        task explain -> Note {
            for_each: word in state.words,
            max_concurrency: 50,
            prompt: "Explain ${word}.",
            update: { notes = output },
            next: measure,
        }

        task measure -> usize { run: measure, update: { length = output }, next: pause }
        task pause { wait: 1s, next: detail }

        task detail {
            process: Detail with DetailState::new(state.draft.clone()),
            update: { inner = output.found },
            next: approve,
        }

        task approve -> Decision {
            ask: "May `${state.draft}` (${state.length}) go out? ${state.inner}",
            check: has_reason,
            update: { decision = Some(output) },
            next: { done if output.approved, refused },
        }

        task refused { fail: "not approved: ${json(state.decision)}" }
        task done { end }
    }
}

cot_process! {
    /// Looks into a draft, within another process.
    pub(crate) process Detail {
        state: { input draft: String, found: String = String::new() },

        task look -> Note {
            prompt: "Detail of ${state.draft}.",
            update: { found = output.text },
            next: done,
        }

        task done { end }
    }
}

cot_process! {
    /// Writes a note again and again.
    pub(crate) process Steps {
        state: { input name: String, input wanted: usize, notes: Vec<String> = vec![] },

        task write -> Note {
            prompt: "Run ${state.name}, step ${state.notes.len()}.",
            update: { notes[] = output.text },
            next: { write if state.notes.len() < state.wanted, done },
        }

        task done { end }
    }
}

cot_process! {
    /// Reads a pile, a few items at once, then one by one what is left to do.
    pub(crate) process Pile {
        state: {
            input name: String,
            input items: Vec<u32>,
            notes: Vec<Note> = vec![],
            /// In another order on each node.
            marks: HashMap<u32, u32> = (0..20).map(|mark| (mark, mark)).collect(),
            rounds: u32 = 0,
        },

        task read -> Note {
            for_each: item in state.items,
            max_concurrency: 4,
            max_retries: 1,
            prompt: "Pile ${state.name}, round ${state.rounds}, item ${item}.\n${json(state.marks)}",
            update: {
                notes[] = Note { text: texts(&output).join(",") },
                rounds = state.rounds + 1,
            },
            on: { exhausted => given_up },
            next: { read if state.rounds < 3, done },
        }

        task given_up { fail: "an item could not be read" }
        task done { end }
    }
}

cot_process! {
    /// Asks, and does not wait for long.
    pub(crate) process Patience {
        state: { decision: Option<Decision> = None },

        task ask -> Decision {
            ask: "Now?",
            timeout: 300ms,
            update: { decision = Some(output) },
            on: { timeout => late },
            next: done,
        }

        task late { end }
        task done { end }
    }
}

cot_process! {
    /// Does nothing, many times.
    pub(crate) process Ticks {
        state: { input wanted: u32, count: u32 = 0 },
        max_steps: 100000,

        task tick -> u32 {
            run: tick,
            update: { count = output },
            next: { tick if state.count < state.wanted, done },
        }

        task done { end }
    }
}

async fn tick(state: &TicksState) -> Result<u32, std::convert::Infallible> {
    Ok(state.count + 1)
}

/// What notes say.
pub(crate) fn texts(notes: &[Note]) -> Vec<String> {
    notes.iter().map(|note| note.text.clone()).collect()
}

/// Has each draft written twice.
fn no_first_draft(note: &Note, _: &TourState) -> Result<(), Issues> {
    match note.text.contains("first") {
        true => Err(Issues::at("text", "is a first draft")),
        false => Ok(()),
    }
}

async fn measure(state: &TourState) -> Result<usize, std::convert::Infallible> {
    Ok(state.draft.len())
}

fn has_reason(decision: &Decision, _: &TourState) -> Result<(), Issues> {
    match decision {
        Decision { approved: false, remark: None } => {
            Err(Issues::at("remark", "is missing: say why not"))
        }
        _ => Ok(()),
    }
}

cot_restate::workflow! {
    /// A task of every kind.
    pub(crate) struct TourWorkflow runs Tour as "Tour";
}
cot_restate::workflow! { pub(crate) struct StepsWorkflow runs Steps as "Steps"; }
cot_restate::workflow! { pub(crate) struct PileWorkflow runs Pile as "Pile"; }
cot_restate::workflow! { pub(crate) struct PatienceWorkflow runs Patience as "Patience"; }
cot_restate::workflow! { pub(crate) struct TicksWorkflow runs Ticks as "Ticks"; }
cot_restate::workflow! {
    /// The same process, on a node that lets go of it soon.
    pub(crate) struct HastyWorkflow runs Steps as "Hasty";
}
