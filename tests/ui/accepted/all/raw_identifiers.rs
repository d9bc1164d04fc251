//! Words of Rust and of the language, as names of everything that has one.
#![deny(warnings, missing_docs)]

use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Note {
    text: String,
    rank: u32,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct State {
    notes: Vec<Note>,
    last: Option<Note>,
    r#type: String,
}

mod r#mod {
    //! A module.
    pub(super) fn r#fn(note: &super::Note, state: &super::PState) -> Result<(), super::Issues> {
        if note.rank > state.r#in { Err(super::Issues::at("rank", "too high")) } else { Ok(()) }
    }
}

cot_process! {
    process P {
        state: {
            input r#in: u32,
            input input: u32,
            r#dyn: Vec<Note> = vec![],
            output: Note,
            r#type: Note,
            goal: String = String::new(),
            state_: u32 = 0,
        },
        goal: "${state.goal} ${state.input}",
        prompts: { r#loop: "${goal} ${state.r#in}", task: "${part(r#loop)} ${state.state_}" },
        start: r#move,

        task r#move -> Note {
            prompt: "${part(task)} ${list(state.r#dyn.iter().map(|r#fn| &r#fn.text))}",
            check: r#mod::r#fn,
            update: {
                output = output,
                r#type = output,
                r#type.text = goal.to_owned(),
                r#dyn[] = output,
            },
            next: { state if output.rank > state.output.rank, output },
        }

        task state -> Note {
            for_each: r#ref in state.r#dyn,
            prompt: "${r#ref.text} ${json(state.r#type)} ${state.r#type?.is_some()}",
            update: { r#dyn = output, state_ = state.r#type.rank },
            next: goal,
        }

        task output { transitions: { goal, inputs, r#match with state.r#type } }
        task goal { next: { inputs if state.r#type.rank > 3, r#match with state.output } }

        task inputs -> Note {
            ask: "${state.r#type.text}",
            update: { goal = output.text },
            next: r#else,
        }

        task r#match -> Note { inputs: Note, prompt: "${inputs.text}", next: r#else }
        task r#else { end }
    }
}

cot_process! {
    process r#Raw {
        state: State,

        task r#type -> Note {
            update: { r#type = output.text, notes[] = output, last = Some(output) },
            next: done,
        }

        task done { end }
    }
}

pub(super) fn main() {
    let _ = (P::runner(), RawTask::Type, RawOutcome::Done, PTask::Else);
    assert!(PState::new(1, 2).r#type.is_none());
}
