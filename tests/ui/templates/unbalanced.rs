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
    pub process Demo {
        state: State,
        intro: "${json(state.fields}",
        task a -> Field { prompt: "${state.fields[0.name}", update: fields[], next: b }
        task b -> Field { prompt: "${state.fields.len())}", update: fields[], next: c }
        task c -> Field { prompt: "${list(state.fields.iter().map(|it| &it.name]}", update: fields[], next: d }
        task d -> Field { prompt: r#"${goal.replace("a, "b")}"#, update: fields[], next: e }
        task e -> Field { prompt: "${goal.replace('ab', 'b')}", update: fields[], next: done }
        task done { end }
    }
}

fn main() {}
