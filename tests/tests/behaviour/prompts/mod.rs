//! Prompts as data: segments, parts by name, partial prompts, and what is said of inputs.

mod conversation;
mod from_context;
mod history;
mod inputs;
mod media;
mod order;
mod partial;
mod parts;
mod segments;

use cot_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::drive::{Note, after, go, note};

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Shop {
    name: String,
    orders: Vec<u32>,
    is_open: bool,
}

fn shop() -> Shop {
    Shop { name: "Ada".into(), orders: vec![7, 8], is_open: true }
}

cot_process! {
    /// Shows its state in several places.
    process Counter {
        state: Shop,
        goal: "Serve ${state.name}",
        intro: "Orders: ${json(state.orders)} of ${state.name}.",
        prompts: { rules: "At most ${state.orders.len()} orders." },
        primers: {
            goal: "The goal is:",
            history: "The history is:",
            errors: "The errors are:",
            transitions: "The choices are:",
            output: "The output is:",
        },
        start: hub,
        default_return: hub,

        task hub -> Note {
            prompt: "Decide.\n${part(rules)}",
            transitions: { plain: "Go on", done, guarded: "Go over" if state.is_open },
        }

        task plain -> Note { prompt: "Go on." }
        task guarded -> Note { full_prompt: "<${part(goal)}> <${part(history)}> <${part(rules)}>" }
        task done { end }
    }
}

/// A run that has chosen, given an output, and then been wrong.
fn retried() -> cot_core::Machine<Counter> {
    after(shop(), [go("plain"), note("a", 1), go("nowhere")])
}
