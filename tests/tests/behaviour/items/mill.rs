//! A process with for-each tasks of every kind, one within the other.

use cot_core::{FunctionError, ItemError, prelude::*};
use serde::{Deserialize, Serialize};

use crate::drive::Note;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Mill {
    pub(super) sacks: Vec<String>,
    weights: Vec<Result<usize, ItemError>>,
    stamps: Vec<Result<String, ItemError>>,
    notes: Vec<Result<Note, ItemError>>,
    bakers: Vec<Result<Baker, ItemError>>,
    log: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Baker {
    name: String,
    loaves: Vec<u32>,
    notes: Vec<Note>,
}

impl Mill {
    pub(super) fn new(sacks: u32) -> Self {
        let sacks = (0..sacks).map(|sack| "s".repeat(sack as usize % 5 + 1) + &sack.to_string());
        Self { sacks: sacks.collect(), ..Self::default() }
    }
}

async fn weigh(_: &Mill, sack: &str) -> Result<usize, FunctionError> {
    match sack.len() % 4 {
        0 => Err(FunctionError::new(format!("{sack} is torn"))),
        _ => Ok(sack.len()),
    }
}

async fn stamp(_: &Mill, sack: &str) -> Result<String, std::fmt::Error> {
    Ok(format!("stamped {sack}"))
}

async fn bake(baker: &Baker, loaf: &u32) -> Result<u32, std::fmt::Error> {
    Ok(loaf + baker.name.len() as u32)
}

cot_process! {
    pub(super) process Bakery {
        state: Baker,
        max_retries: 1,
        history: { max_items: 3 },
        task plan -> Note { full_prompt: "${state.name}", update: notes[], next: bake }

        task bake -> u32 {
            for_each: loaf in state.loaves,
            run: bake,
            effect: once,
            max_concurrency: 2,
            update: { loaves = output },
            on: { interrupted => taste },
            next: taste,
        }

        task taste -> Note {
            ask: "How is it, ${state.name}?",
            max_retries: 1,
            wait: 2s,
            update: notes[],
            next: done,
        }

        task done { end }
    }
}

cot_process! {
    pub(super) process Milling {
        state: Mill,
        max_retries: 1,
        history: { max_items: 3 },
        sequence all [weigh, stamp, note, bake, done]

        task weigh -> usize {
            for_each: sack in state.sacks,
            run: weigh,
            retry: { max: 1, backoff: 1s..2s },
            max_concurrency: 3,
            timeout: 30s,
            collect: ok,
            update: weights,
        }

        task stamp -> String {
            for_each: sack in state.sacks,
            run: stamp,
            effect: once,
            max_concurrency: 2,
            collect: ok,
            update: stamps,
        }

        task note -> Note {
            for_each: sack in state.sacks,
            full_prompt: "${sack}",
            max_concurrency: 2,
            retry: { max: 1, backoff: 1s..2s },
            collect: ok,
            update: notes,
        }

        task bake {
            for_each: sack in state.sacks,
            process: Bakery
                with Baker { name: sack.clone(), loaves: vec![1, 2, 3], notes: Vec::new() },
            max_concurrency: 3,
            max_retries: 1,
            timeout: 100s,
            collect: ok,
            update: { bakers = output, log[] = "baked".to_owned() },
        }

        task done { end }
    }
}
