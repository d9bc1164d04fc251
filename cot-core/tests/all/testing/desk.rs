//! A process to measure coverage of.

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A few words.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Note {
    #[schemars(length(max = 10))]
    pub text: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Notes {
    pub notes: Vec<String>,
}

cot_process! {
    /// Writes notes until one is sent.
    pub process Desk {
        state: Notes,
        max_retries: 1,
        max_steps: 30,

        task classify -> Note {
            prompt: "What is it about?",
            update: { notes[] = output.text },
            next: { ask if output.text.len() < 3, review },
        }

        task ask -> Note {
            prompt: "Ask for more.",
            update: { notes[] = output.text },
            next: review,
        }

        task review {
            prompt: "${json(state.notes)}",
            transitions: {
                revise: "Improve it",
                send: "It is right",
                discard: "It is hopeless" if state.notes.len() > 2,
            },
        }

        task revise -> Note {
            prompt: "Improve it.",
            update: { notes[] = output.text },
        }

        task send { end }
        task discard { end }
    }
}
