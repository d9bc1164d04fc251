//! Processes of a crate of the edition of 2021, in which `gen` is a name like any other.

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A family.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Family {
    /// How many generations there are.
    #[schemars(range(min = 1))]
    pub gen: u32,
}

/// A state of the user's own.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Tree {
    /// The last generation.
    pub gen: u32,
    /// All families.
    pub families: Vec<Family>,
}

cot_process! {
    /// Names its fields and tasks with a word that became a keyword.
    pub process Ancestry {
        state: Tree,
        prompts: { gen: "Generations so far: ${state.gen}." },

        task gen -> Family {
            prompt: "${part(gen)} ${json(state.families)} ${format!(\"{} {}\", state.gen, state.gen + 1)}",
            update: { gen = output.gen, families[] = output },
            next: { done if state.gen > 2, gen },
        }

        task done { end }
    }
}

cot_process! {
    /// The same in a state that it declares.
    pub process Declared {
        state: { input gen: u32, family: Family },

        task ask -> Family {
            prompt: "After ${state.gen}: ${list([state.gen])}",
            update: { gen = state.gen + output.gen, family = output },
            next: done,
        }

        task done { end }
    }
}
