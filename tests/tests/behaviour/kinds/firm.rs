//! A process of all kinds of tasks, with another one within.

use cot_core::{FunctionError, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::drive::Note;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Books {
    pub(crate) notes: Vec<Note>,
    pub(crate) total: u32,
    pub(crate) names: Vec<String>,
    pub(crate) log: String,
    pub(crate) history: cot_core::History,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Place {
    #[schemars(length(min = 1, max = 8))]
    pub(crate) name: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Sure(bool);

impl From<&Books> for Books {
    fn from(books: &Books) -> Self {
        Self { names: books.names.clone(), ..Self::default() }
    }
}

pub(crate) type Broken = FunctionError;

pub(crate) async fn count(books: &Books, place: &Place) -> Result<Note, Broken> {
    match books.notes.len() % 3 {
        0 => Err(FunctionError::new(format!("nothing at {}", place.name))),
        rank => Ok(Note { text: place.name.clone(), rank: rank as u32 }),
    }
}

pub(crate) async fn look(books: &Books) -> Result<u32, Broken> {
    u32::try_from(books.names.len()).map_err(FunctionError::new)
}

pub(crate) fn is_new(note: &Note, books: &Books) -> Result<(), Issues> {
    match books.notes.contains(note) {
        true => Err(Issues::at("text", "was there before")),
        false => Ok(()),
    }
}

pub(crate) fn settle(note: &Note, books: &mut Books) -> Result<FirmWriteChoice, Issues> {
    books.log.push_str(&note.text);
    let place = Place { name: "there".to_owned() };
    match note.rank % 5 {
        0 => Err(Issues::at("rank", "can't be divided by 5")),
        1 => Ok(FirmWriteChoice::Count(place)),
        2 => Ok(FirmWriteChoice::Ask(place)),
        _ => Ok(FirmWriteChoice::Hub),
    }
}

cot_process! {
    pub(crate) process Team {
        state: Books,
        history: { max_items: 3 },
        budget: { calls: 12 },
        task plan -> Note { check: is_new, update: { notes[] = output }, next: each }

        task each -> Note {
            for_each: name in state.names,
            max_concurrency: 2,
            prompt: "About ${name}",
            update: { notes = output },
            on: { exhausted => sure, budget => sure },
            next: wait,
        }

        task wait { wait: 5m, next: { sure if state.notes.len() > 1, look } }
        task look -> u32 { run: look, update: { total = output }, next: sure }

        task sure -> Sure {
            ask: "Sure?",
            max_retries: 1,
            on: { exhausted => failed },
            next: { done if output.0, failed },
        }

        task failed { fail: "not sure" }
        task done { end }
    }
}

cot_process! {
    pub(crate) process Firm {
        state: Books,
        model: ["large", "small"],
        max_retries: 1,
        max_steps: 40,
        timeout: 600s,
        budget: { tokens: 6000, calls: 45 },
        history: { max_items: 6, state_max_items: 2 },
        intro: "${json(state)} ${json(last_output)}",

        task hub {
            wait: 1s,
            timeout: 90s,
            transitions: {
                write,
                count with Place { name: "here".into() } if state.notes.len() > 1,
                ask with model,
                each,
                team,
                done if state.total > 6,
            },
            on: {
                exhausted => write,
                truncated => write,
                refused => done,
                timeout => each,
                budget => spent,
            },
        }

        task write -> Note {
            check: is_new,
            update: { notes[] = output, total = state.total + 1 },
            process_output: settle -> [count, ask, hub],
            on: { exhausted => hub, budget => spent },
        }

        task count -> Note {
            inputs: Place,
            run: count,
            max_retries: 1,
            timeout: 30s,
            update: { notes[] = output, names[] = inputs.name },
            on: { exhausted => hub, timeout => each },
            may_end,
        }

        task ask -> Note {
            inputs: Place,
            ask: "What of ${inputs.name}?",
            max_retries: 2,
            timeout: 60s,
            check: same_place,
            update: { notes[] = output, names[] = inputs.name },
            on: { exhausted => hub, timeout => hub },
            next: { count with Place { name: output.text } if output.rank > 500, hub },
        }

        task each -> Place {
            wait: 2s,
            for_each: note in state.notes,
            max_concurrency: 3,
            timeout: 20s,
            prompt: "Where is ${note.text}?",
            update: { names = output.iter().map(|place| place.name.clone()).collect::<Vec<_>>() },
            on: { exhausted => hub, budget => spent, truncated => write },
            next: { team if !state.names.is_empty(), hub },
        }

        task team {
            process: Team,
            timeout: 60s,
            max_retries: 1,
            update: { total = state.total + output.total, log[] = "team".to_owned() },
            on: { exhausted => hub, budget => spent, timeout => done },
            next: hub,
        }

        task spent { next: hub }
        task done { end }
    }
}

pub(crate) fn same_place(note: &Note, _: &Books, place: &Place) -> Result<(), Issues> {
    match note.text.len() == place.name.len() {
        true => Err(Issues::at("text", "is as long as the place")),
        false => Ok(()),
    }
}
