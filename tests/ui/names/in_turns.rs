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

fn fields() -> Vec<Example<Field>> {
    Vec::new()
}

cot_process! {
    pub process Demo {
        state: { talk: Vec<Turn> = vec![], last: Vec<Turn> },
        task first -> Field { turns: state.tlak, next: second }
        task second -> Field { turns: inputs.talk, next: third }
        task third -> Field { turns: output.talk, next: each }
        task each -> Field { for_each: turn in &state.talk, turns: item.talk, next: early }
        task early -> Field { turns: state.last, examples: fields(), next: late }
        task late -> Field { turns: , update: { last = vec![Turn::user(output.name)] }, next: done }
        task done { end }
    }
}

fn main() {}
