//! Processes with every kind of task.

use std::convert::Infallible;

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Page {
    pub(crate) text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Note {
    #[schemars(length(max = 10))]
    pub(crate) words: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Desk {
    pub(crate) pages: Vec<Page>,
    pub(crate) notes: Vec<Note>,
    pub(crate) found: Option<Shelf>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Shelf {
    pub(crate) books: u32,
}

impl From<&Desk> for Shelf {
    fn from(desk: &Desk) -> Self {
        Self { books: u32::try_from(desk.pages.len()).unwrap_or(u32::MAX) }
    }
}

#[expect(clippy::unused_async, reason = "the functions of code tasks are async")]
async fn load(_: &Desk, note: &Note) -> Result<Page, Infallible> {
    Ok(Page { text: note.words.clone() })
}

cot_process! {
    /// Looks a book up.
    pub(crate) process Library {
        state: Shelf,
        max_retries: 0,

        task look {
            title: "Look & \"see\" <b>\\N {a|b}",
            transitions: { found, look: "Once more", lost },
        }

        task found { end }
        task lost { fail: "no such book" }
    }
}

cot_process! {
    /// Does everything that a process can.
    pub(crate) process Office {
        state: Desk,
        goal: "Tidy ${state.pages.len()} pages",
        prompts: { manners: "Be kind." },
        model: ["large", "small"],
        temperature: 0.2,
        stop: ["END"],
        max_steps: 50,
        timeout: 10m,
        budget: { tokens: 1000 },
        history: { max_items: 5 },
        sequence reading [read, approve]

        task decide {
            title: "Decide what to do",
            prompt: "${part(manners)} What now?",
            transitions: {
                load: "Load a page" with model,
                read: "Read them" if !state.pages.is_empty(),
                search,
                again: "Ask the other library",
                done,
            },
            on: { exhausted => failed, timeout => done },
        }

        task load -> Page {
            description: "Loads a page.",
            inputs: Note,
            run: load,
            wait: 90s,
            max_retries: 1,
            update: { pages[] = output },
        }

        task read -> Note {
            for_each: page in state.pages,
            max_concurrency: 3,
            prompt: "Read ${page.text}",
            update: { notes = output },
        }

        task approve -> Note {
            ask: "Is it fine?",
            update: { notes[] = output },
            next: { decide if output.words.is_empty(), sort },
        }

        task sort -> Note {
            model: "small",
            temperature: 0.5,
            effort: low,
            extra: { "top_k": 40 },
            prompt: "Sort: ${json(state.found)} for ${goal}",
            no_history,
            process_output: chosen -> [gate, done],
        }

        task gate { next: { done if state.notes.len() > 1, decide } }
        task search { process: Library, update: { found = Some(output) } }
        task again { process: Library with Shelf { books: 1 }, next: gate }
        task failed { fail: "could not decide" }
        task done { end }
    }
}

fn chosen(note: &Note, _: &mut Desk) -> OfficeSortChoice {
    if note.words.is_empty() { OfficeSortChoice::Gate } else { OfficeSortChoice::Done }
}
