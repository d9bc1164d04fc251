//! Processes of a crate that calls its dependency on `cot-core` `cot`, and of one that reaches it through
//! another crate.

use cot::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A crate that gives its users `cot-core` under a path of its own.
pub mod framework {
    pub use cot as workflows;
}

/// A note.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Note {
    /// Its text.
    #[cot(check = is_no_shout, because = "notes are read aloud")]
    pub text: String,
}

/// A title.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
#[cot(crate = crate::processes::framework::workflows)]
pub struct Title {
    /// Its text.
    #[schemars(length(max = 40))]
    pub text: String,
}

fn is_no_shout(text: &str) -> Result<(), Issues> {
    if text.ends_with('!') { Err(Issues::at("$", "ends with `!`")) } else { Ok(()) }
}

fn check(output: &Title, state: &ReexportedState) -> Result<(), Issues> {
    if output.text == state.subject { Err(Issues::at("text", "says nothing")) } else { Ok(()) }
}

cot_process! {
    /// Finds the name of the dependency by itself.
    pub process Renamed {
        state: { input subject: String, notes: Vec<Note> = vec![], last: Note },
        task decide { transitions: { write: "Write" if state.notes.len() < 2, done } }

        task write -> Note {
            prompt: "On ${quoted(&state.subject)}:\n${list(state.notes.iter().map(|note| &note.text))}",
            update: { notes[] = output, last = output },
            next: { done if !state.last.text.is_empty(), decide },
        }

        task done { end }
    }
}

cot_process! {
    /// Says where it is.
    pub process Reexported {
        crate: crate::processes::framework::workflows,
        state: { input subject: String, title: Title },

        task name -> Title {
            prompt: "Find a title for ${state.subject}.",
            check: check,
            update: title,
            next: done,
        }

        task done { end }
    }
}
