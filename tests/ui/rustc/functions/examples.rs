use cot_core::{Example, model::Turn, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Field {
    pub name: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct State {
    pub name: String,
    pub talk: Vec<Turn>,
}

fn others() -> Vec<Example<State>> {
    Vec::new()
}

fn single() -> Example<Field> {
    Example::new("a", Field { name: String::new() })
}

fn of_state(_: &State) -> Vec<Example<Field>> {
    Vec::new()
}

const LIST: [Example<Field>; 0] = [];

fn fields() -> [Example<Field>; 1] {
    [single()]
}

cot_process! {
    pub process Demo {
        state: State,
        task first -> Field { examples: others, next: second }
        task second -> Field { examples: single, next: third }
        task third -> Field { examples: of_state, next: fourth }
        task fourth -> Field { examples: LIST, next: fifth }
        task fifth { reason: "Why?", examples: fields, next: done }
        task done { end }
    }
}

fn main() {}
