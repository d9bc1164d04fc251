//! The processes of the tests.

use std::time::Duration;

use cot_core::{FunctionError, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Note {
    pub(crate) text: String,
}

cot_process! {
    pub(crate) process Greeter {
        state: Note,

        task greet -> Note {
            prompt: "Greet the world.",
            temperature: 0.2,
            top_p: 0.9,
            max_tokens: 100,
            seed: 7,
            stop: ["END"],
            update: { text = output.text },
            next: done,
        }

        task done { end }
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Trip {
    pub(crate) names: Vec<String>,
    pub(crate) web: String,
    pub(crate) papers: String,
    pub(crate) notes: Vec<Note>,
    pub(crate) looks: Vec<Note>,
    pub(crate) count: u32,
    pub(crate) report: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Article {
    pub(crate) name: String,
}

cot_process! {
    pub(crate) process Look {
        state: Note,

        task look -> Note {
            prompt: "Look at ${state.text}.",
            update: { text = output.text },
            next: done,
        }

        task done { end }
    }
}

cot_process! {
    pub(crate) process Survey {
        state: Trip,
        tools: { price: price "Returns the price of an article" },
        parallel search [web, papers] => describe

        task web -> Note {
            prompt: "Search the web.",
            update: { web = output.text },
            next: describe,
        }

        task papers -> Note {
            prompt: "Read papers.",
            update: { papers = output.text },
            next: describe,
        }

        task describe -> Note {
            for_each: name in state.names,
            prompt: "Describe ${name}.",
            update: { notes = output },
            next: look,
        }

        task look {
            for_each: name in state.names,
            process: Look with Note { text: name.clone() },
            update: looks,
            next: count,
        }

        task count -> u32 { run: count, update: { count = output }, next: report }

        task report -> Note {
            prompt: "Report.",
            tools: [price],
            update: { report = output.text },
            next: done,
        }

        task done { end }
    }
}

async fn count(trip: &Trip) -> Result<u32, FunctionError> {
    Ok(u32::try_from(trip.notes.len()).unwrap())
}

async fn price(article: &Article) -> Result<u32, String> {
    if article.name == "kettle" { Ok(3990) } else { Err("not for sale".to_owned()) }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Verdict {
    pub(crate) is_good: bool,
}

cot_process! {
    pub(crate) process Letters {
        state: Note,

        task write -> Note {
            prompt: "Write a letter.",
            update: { text = output.text },
            next: approve,
        }

        task approve -> Verdict {
            ask: "Send this?\n${state.text}",
            next: { send if output.is_good, write },
        }

        task send -> Note { prompt: "Send it.", update: { text = output.text }, next: sent }
        task sent { end }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trouble {
    None,
    Error,
    Panic,
    Hang,
}

cot_process! {
    pub(crate) process Fragile {
        state: Note,
        context: Trouble,
        task work -> u32 { run: work, timeout: 50ms, next: done }
        task done { end }
    }
}

async fn work(_: &Note, cx: &Cx<'_, Fragile>) -> Result<u32, FunctionError> {
    match cx.app() {
        Trouble::None => Ok(1),
        Trouble::Error => Err(FunctionError::new("sesame is not the word")),
        Trouble::Panic => panic!("sesame"),
        Trouble::Hang => {
            tokio::time::sleep(Duration::from_secs(60)).await;
            Ok(2)
        }
    }
}
