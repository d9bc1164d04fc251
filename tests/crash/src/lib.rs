//! The process of the crash tests, shared by the program that is killed and the test that kills it.

pub mod orders;
pub mod payments;

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many runs the program has.
pub const RUNS: u32 = 20;

/// How many steps each of them takes.
pub const STEPS: u32 = 20;

/// What the model says in a step.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Count {
    /// The number of the step.
    pub number: u32,
}

/// What a run has counted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CounterState {
    /// The number of the run.
    pub run: u32,
    /// The numbers that were committed, in their order.
    pub counted: Vec<u32>,
}

impl CounterState {
    /// The beginning of a run.
    #[must_use]
    pub const fn new(run: u32) -> Self {
        Self { run, counted: Vec::new() }
    }
}

cot_process! {
    /// Counts to twenty, a model call for each number.
    pub process Counter {
        state: CounterState,

        task count -> Count {
            prompt: "run ${state.run} step ${state.counted.len()}.",
            update: { counted[] = output.number },
            next: { count if state.counted.len() < STEPS as usize, done },
        }

        task done { end }
    }
}

/// Whether a fuse kills its program.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FuseState {
    /// Whether it does.
    pub is_lit: bool,
    /// What is left of one that does not.
    pub left: String,
}

cot_process! {
    /// Kills its program, if it is lit.
    pub process Fuse {
        state: FuseState,

        task burn -> String { run: burn, update: { left = output }, next: done }

        task done { end }
    }
}

/// Aborts the program.
async fn burn(fuse: &FuseState) -> Result<String, std::convert::Infallible> {
    if fuse.is_lit {
        std::process::abort();
    }
    Ok("ashes".to_owned())
}
