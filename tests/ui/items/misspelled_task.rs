use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Field {
    pub name: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct State {
    pub fields: Vec<Field>,
}

cot_process! {
    pub process Misspelled {
        state: State,
        seqence steps [decide, add],
        task decide -> Field { update: fields[] }
        taks add -> Field { update: fields[], next: more }
        task more -> Field { update: fields[], next: done }
        task done { end }
    }
}

cot_process! {
    pub process OtherWord {
        state: State,
        task decide { transitions: { add, done } }
        step add -> Field { update: fields[], next: done }
        task done { end }
    }
}

cot_process! {
    pub process LikeAFunction {
        state: State,
        task decide { transitions: { add, done } }
        fn add(state: &State) -> Field { state.fields[0].clone() }
        task done { end }
    }
}

cot_process! {
    pub process LikeAnItem {
        state: State,
        task decide { transitions: { add, done } }
        task: add -> Field { update: fields[], next: done }
        task done { end }
    }
}

fn main() {}
