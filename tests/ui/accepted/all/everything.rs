//! Every item of the language at once, with every lint that users may deny.
#![deny(warnings, missing_docs, unreachable_pub, unused_qualifications)]
#![deny(clippy::all, clippy::pedantic)]
#![expect(
    clippy::unnecessary_wraps,
    reason = "the lint is about functions that a process prescribes"
)]

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use cot_core::{
    Example, History,
    model::{Document, Image, Turn},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Note {
    text: String,
    rank: u32,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Inner {
    notes: Vec<Note>,
    text: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
    inner: Inner,
    maybe: Option<Inner>,
    list: Option<Vec<String>>,
    queue: VecDeque<u32>,
    set: BTreeSet<String>,
    log: String,
    by_name: BTreeMap<String, Note>,
    by_rank: HashMap<u32, String>,
    tuple: (u32, String),
    photos: Vec<Image>,
    contract: Option<Document>,
    talk: Vec<Turn>,
    history: History,
}

fn examples() -> Vec<Example<Note>> {
    vec![Example::new("A word", Note { text: "word".to_owned(), rank: 1 })]
}

fn check(note: &Note, state: &State) -> Result<(), Issues> {
    if state.inner.notes.len() > 3 && note.rank == 0 {
        Err(Issues::at("rank", "too many"))
    } else {
        Ok(())
    }
}

fn choose(note: &Note, state: &mut State) -> Result<EverythingChooseChoice, Issues> {
    state.queue.push_back(note.rank);
    Ok(if note.rank > 1 { EverythingChooseChoice::Gate } else { EverythingChooseChoice::Write })
}

fn apply(note: &Note, state: &mut State) {
    state.log.push_str(&note.text);
}

fn words(scope: &Scope<'_, Everything>) -> String {
    format!("{} of {}", scope.task.title, scope.process.name)
}

cot_process! {
    process Everything {
        state: State,
        goal: "Reach ${state.tuple.1}",
        intro: "${process.description}: ${goal} ${json(history)} $${literal} {\"a\": {}}",
        system: words,
        prompts: {
            rules: "Rules for ${task.title}. ${part(more)}",
            photos: "${image(state.photos.iter().take(3))} ${document(state.contract)}",
            more: "${list(state.inner.notes.iter().map(|note| &note.text))} ${list(state.set)}",
            _spare: "not shown",
        },
        primers: {
            goal: "Goal:",
            history: "History:",
            errors: "Errors:",
            transitions: "Ways:",
            output: "Format:",
        },
        model: "large",
        order: [intro, goal, prompt, transitions, output, history, errors],
        temperature: 0.5,
        top_p: 0.9,
        max_tokens: 1000,
        stop: ["END"],
        seed: 1,
        effort: medium,
        extra: { "top_k": 40, "nested": { "list": [1, -2.5, true, null, "a"] } },
        max_retries: 3,
        history: { max_items: 10, state_max_items: 5 },
        start: hub,
        default_return: hub,
        max_steps: 100,
        timeout: 2h,
        sequence steps [first, second]

        /// The hub.
        task hub {
            title: "Hub",
            description: "Decides",
            prompt: "${part(rules)} ${quoted(&state.log)} ${json_pretty(state.by_name)} ${state.inner.notes.len() + 1}",
            transitions: {
                first,
                write: "Write ${state.inner.notes.len()} notes"
                    if state.inner.notes.len() < 5 && !goal.is_empty(),
                choose: words
                    if {
                        let limit = 3;
                        state.queue.len() < limit
                    },
                done: "Done",
                failed,
            },
            errors_primer: "Wrong:",
            no_history,
        }

        task first -> Note { update: inner.notes[] }

        task second -> Note {
            full_prompt: "Just ${json(state.inner)} ${part(more)} ${part(photos)}",
            turns: &state.talk,
            examples: examples,
            process_output: apply,
        }

        task write -> Note {
            prompt: words,
            found_in: { text: state.inner.text, rank: state.list },
            check: check,
            model: "small",
            max_retries: 0,
            temperature: 0,
            max_tokens: 100,
            timeout: 500ms,
            update: {
                inner.notes[] = output,
                inner.notes[] = Note { rank: output.rank + 1, text: goal.to_owned() },
                maybe?.notes[] = output,
                maybe?.text = state.inner.text,
                list[] = output.text,
                queue[] = output.rank,
                set[] = format!("{}-{}", output.text, state.queue.len()),
                log[] = "x".into(),
                by_name["last"] = output,
                by_rank[output.rank] = output.text,
                tuple.0 = state.tuple.0 + 1,
            },
            next: { gate if output.rank > 3 && state.queue.len() > 1, hub },
        }

        task choose -> Note { process_output: choose -> [gate, write] }
        task gate { next: { done if state.inner.notes.len() > 2, hub } }
        task done { end }
        task failed { fail: "failed after ${state.inner.notes.len()} notes" }
    }
}

mod elsewhere {
    //! A process in a module, of types from another, among shadowed names.
    #![allow(dead_code, non_camel_case_types)]

    struct String;
    struct Vec;
    enum Option {}
    enum Result {}
    mod core {}
    mod std {}

    ::cot_core::cot_process! {
        /// Documented.
        pub(super) process Shadowed {
            state: super::Inner,
            task r#type -> super::Note { update: notes[], next: finish }
            task finish { fail: "after ${state.notes.len()}" }
        }
    }
}

pub(super) fn main() {
    let _ = (Everything::runner(), Everything::machine(), elsewhere::Shadowed::runner());
}
