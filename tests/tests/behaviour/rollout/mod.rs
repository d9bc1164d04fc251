//! Runs that go on under a later version of their process: what keeps them from it, and what resolves that.

mod compatible;
mod inputs;
mod migrations;
mod stored;

use cot_core::{
    ConflictKind, Machine, Process, ResumeOptions, Snapshot, SnapshotError, prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::drive::{Note, go, note, reply, started};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Cart {
    notes: Vec<Note>,
    boxes: Vec<String>,
}

/// A cart of a later version.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Van {
    notes: Vec<Note>,
    boxes: Vec<String>,
    plate: String,
}

/// A note of a later version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct LongNote {
    text: String,
    rank: u32,
    more: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Texts {
    texts: Vec<String>,
}

/// Texts of a later version.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Lines {
    texts: Vec<String>,
    lines: usize,
}

/// The sub-process.
mod inner {
    pub(super) mod first {
        use crate::rollout::*;

        cot_process! {
            pub(in crate::rollout) process Inner {
                state: Texts,
                task one -> Note { prompt: "One.", update: { texts[] = output.text }, next: two }
                task two -> Note { prompt: "Two.", update: { texts[] = output.text }, next: end }
                task end { end }
            }
        }
    }
    pub(super) mod later {
        use crate::rollout::*;

        cot_process! {
            pub(in crate::rollout) process Inner {
                state: Lines,
                task one -> Note { prompt: "One.", update: { texts[] = output.text }, next: three }

                task three -> Note {
                    prompt: "Three.",
                    update: { texts[] = output.text },
                    next: end,
                }

                task end { end }
            }
        }
    }
    pub(super) mod other {
        use crate::rollout::*;

        cot_process! {
            pub(in crate::rollout) process Other {
                state: Texts,
                task one -> Note { prompt: "One.", update: { texts[] = output.text }, next: end }
                task end { end }
            }
        }
    }
}

async fn counted(_: &Cart) -> Result<u32, std::convert::Infallible> {
    Ok(1)
}

/// A version of the process.
macro_rules! version {
    ($module:ident, $state:ident, $($tasks:tt)*) => {
        mod $module {
            use super::*;
            cot_process! { pub(super) process Order { state: $state, $($tasks)* } }
        }
    };
}

version! { first, Cart,
    task choose {
        prompt: "What next?",
        transitions: { spare, pack, approve, sort, rest, count, inner, done: "All is packed" },
    }
    task spare -> Note { prompt: "Spare.", update: notes[] }
    task pack -> Note { prompt: "Pack.", update: notes[] }
    task approve -> Note { ask: "Fine?", update: notes[] }
    task sort -> Note { for_each: item in state.boxes, prompt: "Sort ${item}.", update: { notes = output } }
    task rest { wait: 5m, next: pack }
    task count -> u32 { run: counted }
    task inner { process: inner::first::Inner with Texts::default() }
    task done { end }
}

// A task is gone, another is new, and the routes have changed.
version! { grown, Cart,
    task choose { prompt: "What next?", transitions: { log, pack, approve, sort, rest, count, inner, done } }
    task log -> Note { prompt: "Log.", update: notes[] }
    task pack -> Note { prompt: "Pack.", update: notes[], next: log }
    task approve -> Note { ask: "Fine?", update: notes[], next: { done if state.notes.len() > 5, log } }
    task sort -> Note { for_each: item in state.boxes, prompt: "Sort ${item}.", update: { notes = output } }
    task rest { wait: 5m, next: log }
    task count -> u32 { run: counted, next: pack }
    task inner { process: inner::first::Inner with Texts::default(), next: log }
    task done { end }
}

version! { reworded, Cart,
    task choose { prompt: "And now?", transitions: { pack, approve, sort, rest, count, inner, done } }
    task pack -> Note { prompt: "Pack well.", update: notes[] }
    task approve -> Note { ask: "All well?", update: notes[] }
    task sort -> Note { for_each: item in state.boxes, prompt: "Sort ${item} well.", update: { notes = output } }
    task rest { wait: 5m, next: pack }
    task count -> u32 { run: counted }
    task inner { process: inner::first::Inner with Texts::default() }
    task done { end }
}

version! { reshaped, Cart,
    task choose { prompt: "What next?", transitions: { pack, approve, sort, rest, count, inner, done } }
    task pack -> LongNote { prompt: "Pack.", process_output: keep }
    task approve -> LongNote { ask: "Fine?", process_output: keep }
    task sort -> LongNote { for_each: item in state.boxes, prompt: "Sort ${item}.", process_output: keep_all }
    task rest { wait: 5m, next: pack }
    task count -> String { run: named }
    task inner { process: inner::later::Inner with Lines::default() }
    task done { end }
}

fn keep(note: &LongNote, cart: &mut Cart) {
    cart.boxes.push(note.text.clone());
}

fn keep_all(notes: &[LongNote], cart: &mut Cart) {
    cart.boxes.extend(notes.iter().map(|note| note.text.clone()));
}

async fn named(_: &Cart) -> Result<String, std::convert::Infallible> {
    Ok(String::new())
}

version! { other_kinds, Cart,
    task choose { prompt: "What next?", transitions: { pack, approve, sort, rest, count, inner, done } }
    task pack -> Note { ask: "Pack.", update: notes[] }
    task approve -> Note { prompt: "Fine?", update: notes[] }
    task sort -> Note { prompt: "Sort.", update: notes[] }
    task rest { next: pack }
    task count -> Note { ask: "How many?", update: notes[] }
    task inner { process: inner::other::Other with Texts::default() }
    task done { end }
}

version! { gone, Cart,
    task choose { prompt: "What next?", transitions: { choose, addressed with Note::default(), done } }
    task addressed -> Note { inputs: Note, prompt: "To ${inputs.text}?", update: notes[] }
    task done { end }
}

version! { orphan, Cart,
    start: begin,
    task begin { next: pack }
    task pack -> Note { prompt: "Pack.", update: notes[], next: approve }
    task approve -> Note { ask: "Fine?", update: notes[], next: sort }
    task sort -> Note { for_each: item in state.boxes, prompt: "Sort ${item}.", update: { notes = output }, next: rest }
    task rest { wait: 5m, next: count }
    task count -> u32 { run: counted, next: inner }
    task inner { process: inner::first::Inner with Texts::default(), next: done }
    task done { end }
}

version! { asking, Cart,
    task choose -> Note { ask: "What next?", next: { approve if state.boxes.len() > 9, sort if state.boxes.len() > 8, rest if state.boxes.len() > 7, count if state.boxes.len() > 6, inner if state.boxes.len() > 5, pack } }
    task pack -> Note { prompt: "Pack.", update: notes[], next: done }
    task approve -> Note { ask: "Fine?", update: notes[], next: done }
    task sort -> Note { for_each: item in state.boxes, prompt: "Sort ${item}.", update: { notes = output }, next: done }
    task rest { wait: 5m, next: done }
    task count -> u32 { run: counted, next: done }
    task inner { process: inner::first::Inner with Texts::default(), next: done }
    task done { end }
}

version! { driven, Van,
    task choose { prompt: "What next?", transitions: { pack, approve, sort, inner, done } }
    task pack -> Note { prompt: "Pack.", update: notes[] }
    task approve -> Note { ask: "Fine?", update: notes[] }
    task sort -> Note { for_each: item in state.boxes, prompt: "Sort ${item}.", update: { notes = output } }
    task inner { process: inner::later::Inner with Lines::default() }
    task done { end }
}

/// The places of a run.
const PLACES: [&str; 7] = ["between", "pack", "approve", "sort", "rest", "count", "inner"];

/// A run of the first version at one of the places, which has come from `choose`, and was at `spare` before.
fn at(place: &str) -> Machine<first::Order> {
    let boxes = vec!["red".to_owned(), "blue".to_owned()];
    let mut machine = started::<first::Order>(Cart { boxes, notes: Vec::new() });
    reply(&mut machine, go("spare"));
    reply(&mut machine, note("s", 1));
    if place == "between" {
        reply(&mut machine, go("pack"));
        assert!(machine.at_task_boundary());
    } else {
        reply(&mut machine, go(place));
        assert!(!machine.poll().directives().is_empty());
    }
    machine
}

fn stored<P: Process<Context = ()>>(machine: &Machine<P>) -> String {
    machine.snapshot().unwrap().to_json().unwrap()
}

fn resume<P: Process<Context = ()>>(
    json: &str,
    options: ResumeOptions,
) -> Result<Machine<P>, SnapshotError> {
    Machine::resume(Snapshot::from_json(json).unwrap(), options)
}

/// The conflicts of a run with a version, each as its name in JSON.
fn conflicts<P: Process<Context = ()>>(json: &str, options: ResumeOptions) -> Vec<String> {
    match resume::<P>(json, options) {
        Ok(_) => Vec::new(),
        Err(SnapshotError::Incompatible { conflicts, .. }) => {
            let name = |kind: &ConflictKind| -> String {
                let json: Value = serde_json::to_value(kind).unwrap();
                json["conflict"].as_str().unwrap().to_owned()
            };
            conflicts.iter().map(|conflict| name(&conflict.kind)).collect()
        }
        Err(error) => panic!("{error}"),
    }
}
