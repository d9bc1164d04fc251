//! Code that a macro of the user declares: no lint complains about what is generated.
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    unused_qualifications
)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The output of a task.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Named {
    /// The name.
    pub name: String,
}

/// What the program gives to the functions.
#[derive(Debug, Clone, Copy)]
pub struct App;

macro_rules! process {
    ($name:ident, $field:ident, $task:ident, $output:ty, $context:ty) => {
        cot_process! {
            pub process $name {
                state: { $field: u32 = 0, name: Option<String> = None },
                context: $context,
                task $task -> $output {
                    prompt: "Ask.",
                    update: { $field = 1, name = Some(output.name) },
                    process_output: choose -> [count, fall],
                    mock: made_up,
                }
                task count -> u32 { run: count, update: $field, next: done }
                task fall { fail: "It fell." }
                task done { end }
            }
        }
    };
}
process!(Generated, number, ask, Named, App);

const fn choose(_: &Named, _: &mut GeneratedState) -> GeneratedAskChoice {
    GeneratedAskChoice::Count
}

const fn made_up(_: &GeneratedState) -> Named {
    Named { name: String::new() }
}

async fn count(state: &GeneratedState, _: &Cx<'_, Generated>) -> Result<u32, std::fmt::Error> {
    std::future::ready(Ok(state.number)).await
}

/// Uses what is generated.
///
/// # Panics
///
/// If the description lacks the name of the process.
pub fn main() {
    assert!(Generated::describe().text().contains("Generated"));
}
