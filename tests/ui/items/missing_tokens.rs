use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Field {
    pub name: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct State {
    pub fields: Vec<Field>,
    pub others: Vec<Field>,
}

fn choose(_: &Field, _: &mut State) -> KeysNarrowChoice {
    KeysNarrowChoice::Wide
}

cot_process! {
    pub process Words {
        state: State,
        start: goal,
        /// The first task.
        goal -> Field { update: fields[], next: search }
        search [here, there] => done
        task here - Field { update: fields[], next: done }
        task there Field { update: others[], next: done }
        task done { end }
    }
}

cot_process! {
    pub Keyword {
        state: State,
        task done { end }
    }
}

cot_process! {
    pub() process Visible {
        state: State,
        task done { end }
    }
}

cot_process! {
    pub process Keys {
        state: State,
        sequence steps [write narrow]
        task write -> Field { : "Write", update: fields[] }
        task narrow -> Field { process_output: choose > [wide, done] }
        task wide -> Field { update: fields[], next: done }
        task done { end }
    }
}

fn main() {}
