//! A process with a task of every kind.

use std::io;

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A few words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Line {
    #[schemars(length(min = 1, max = 20))]
    pub text: String,
}

/// The answer of a human.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Good,
    Bad,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Papers {
    pub limit: usize,
    pub lines: Vec<Line>,
    pub copies: Vec<Line>,
    pub good: u32,
    pub filed: u32,
    pub stamp: String,
}

async fn file(papers: &Papers) -> Result<u32, io::Error> {
    tokio::task::yield_now().await;
    match papers.good {
        0 => Err(io::Error::other("nothing is good")),
        good => Ok(good),
    }
}

/// Waits for an external event.
async fn stamp(_: &Papers) -> Result<Line, io::Error> {
    std::future::pending().await
}

cot_process! {
    pub process Office {
        state: Papers,
        max_retries: 1,
        max_steps: 60,
        default_return: hub,

        task hub {
            wait: 1m,
            transitions: {
                write: "Write a line" if state.lines.len() < state.limit,
                copy: "Copy the lines",
                judge: "Let somebody judge",
                file: "File it" if state.good > 0,
                stamp: "Have it stamped",
                inner: "Do it elsewhere",
                done,
            },
            on: { exhausted => lost, refused => done },
        }

        task write -> Line {
            prompt: "Write.",
            timeout: 10s,
            update: lines[],
            on: { timeout => hub },
        }

        task copy -> Line {
            for_each: line in state.lines,
            max_concurrency: 3,
            prompt: "Copy ${line.text}",
            update: copies,
        }

        task judge -> Verdict {
            ask: "Is it good?\n${json(state.lines)}",
            timeout: 1h,
            update: { good = state.good + u32::from(output == Verdict::Good) },
            on: { timeout => hub },
        }

        task file -> u32 {
            run: file,
            timeout: 5s,
            update: { filed = output },
            on: { timeout => hub },
        }

        task stamp -> Line { run: stamp, update: { stamp = output.text } }

        task inner {
            process: Inner with InnerState::new(state.lines.len()),
            update: { good = output.rounds.min(3) },
        }

        task done { end }
        task lost { fail: "it is lost" }
    }
}

cot_process! {
    pub process Inner {
        state: { input lines: usize, rounds: u32 = 0 },
        max_steps: 8,

        task round -> Line {
            prompt: "Round ${state.rounds} of ${state.lines} lines",
            update: { rounds = state.rounds + 1 },
            next: { round if state.rounds < 3, ask },
        }

        task ask -> Verdict { ask: "Enough?", next: { round if *output == Verdict::Bad, over } }
        task over { end }
    }
}
