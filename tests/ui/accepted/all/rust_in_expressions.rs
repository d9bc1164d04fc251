//! Expressions of the language are Rust, and none of it is taken for something else.
#![deny(warnings)]

use std::collections::{BTreeMap, HashMap};

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Note {
    text: String,
    rank: u32,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
    notes: Vec<Note>,
    lists: Vec<Vec<u32>>,
    last: Option<Note>,
    by_number: HashMap<u64, String>,
    names: Option<BTreeMap<String, u32>>,
    log: Option<String>,
    pair: (u32, (u32, String)),
}

#[allow(non_upper_case_globals)]
const value: u32 = 1;

fn quote(text: &str) -> String {
    format!("<{text}>")
}

macro_rules! process_with {
    ($value:expr) => {
        cot_process! {
            process FromMacro {
                state: State,
                task write -> Note { update: { log = $value }, next: done }
                task done { end }
            }
        }
    };
}

process_with!(Some(String::new()));

cot_process! {
    process Expressions {
        state: State,
        goal: "Be right",

        task start {
            prompt: "${state.log.clone().unwrap_or_default().replace(r\"\\\", \"x\")}
                ${r#\"a\"}\"#} ${'}'} ${1 /* } */ + 1} ${quote(goal)}
                ${list(state.notes.iter().map(|note| json(note)))}
                ${list(state.lists.iter().map(|list_of| list(list_of)))}
                ${format!(\"{{item}} {}\", state.notes.len())}
                ${state.notes.iter().map(|item| item.rank).sum::<u32>()}",
            transitions: {
                write if matches!(&state.last, Some(item) if item.rank > 3),
                review if state.notes.iter().any(|state| state.rank > value),
                other
                    if let Some(note) = &state.last
                        && note.rank > 1,
                done if state.notes.iter().any(|note| { return note.rank > 9 }),
                done_too,
            },
        }

        task write -> Note {
            update: {
                by_number[1] = output.text,
                by_number[u64::from(output.rank)] = "x".into(),
                names?["a"] = output.rank,
                log?[] = output.text,
                pair.1.0 = output.rank,
                pair.1.1 = goal.to_owned(),
                notes[] = Note { rank: 1, ..output },
            },
            next: { done if matches!(output.rank, 1..=3), start },
        }

        task review -> Note {
            next: {
                done
                    if let Some(last) = &state.last
                        && last.rank > output.rank,
                start,
            },
        }

        task other -> Note { update: { last = Some(output) }, next: start }
        task done { end }
        task done_too { end }
    }
}

pub(super) fn main() {
    let _ = (Expressions::runner(), FromMacro::runner());
}
