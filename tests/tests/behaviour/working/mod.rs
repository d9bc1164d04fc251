//! Workers: they drive the runs of a store, and hold none that waits in memory.

mod failing;
mod parking;
pub(crate) mod seen;
mod stopping;
mod submitting;
mod versions;

use cot_core::{
    Process, Runner,
    prelude::*,
    store::{MemoryStore, RunId, RunSummary, Status, Store},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    drive::{Note, note},
    running::Asked,
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Desk {
    notes: Vec<Note>,
    #[serde(default)]
    is_late: bool,
}

cot_process! {
    /// Drafts a note, asks for another, and drafts a last one.
    pub(crate) process Approval {
        state: Desk,
        task draft -> Note { prompt: "Draft.", update: { notes[] = output }, next: ask }

        task ask -> Note {
            ask: "Is ${state.notes.len()} enough?",
            update: { notes[] = output },
            next: last,
        }

        task last -> Note { prompt: "Last.", update: { notes[] = output }, next: done }
        task done { end }
    }
}

cot_process! {
    /// Drafts a note.
    pub(crate) process Draft {
        state: Desk,
        max_steps: 9,
        task draft -> Note { prompt: "Draft.", update: { notes[] = output }, next: done }
        task done { end }
    }
}

fn approval(model: &Asked) -> Runner<Approval> {
    Approval::runner().model(model.clone())
}

fn draft(model: &Asked) -> Runner<Draft> {
    Draft::runner().model(model.clone())
}

fn always() -> Asked {
    Asked::always(note("a", 1))
}

fn id(name: &str) -> RunId {
    name.parse().unwrap()
}

async fn summary(store: &dyn Store, run: &str) -> RunSummary {
    store.run(&id(run)).await.unwrap().unwrap()
}

/// Submits runs of these names.
async fn submit<P: Process<State = Desk>>(runner: Runner<P>, store: &MemoryStore, names: &[&str]) {
    for name in names {
        let runner = runner.clone().store(store.clone()).run_id(name);
        assert_eq!(runner.submit(&Desk::default()).await.unwrap(), id(name));
    }
}

async fn answer(store: &MemoryStore, run: &str) {
    let Status::Asking { key, .. } = summary(store, run).await.status else {
        panic!("{run} asks nothing");
    };
    store.put_answer(&id(run), &key, answered()).await.unwrap();
}

fn answered() -> Value {
    json!({ "text": "yes", "rank": 2 })
}
