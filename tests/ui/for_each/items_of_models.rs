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
}

async fn find(_: &State, _: &Field) -> Result<Field, std::fmt::Error> {
    Err(std::fmt::Error)
}

fn check(_: &Field, _: &State) -> Result<(), Issues> {
    Ok(())
}

cot_process! {
    pub process Other {
        state: State,
        task done { end }
    }
}

cot_process! {
    pub process Demo {
        state: State,
        task found -> Field { for_each: field in state.fields, run: find, model: "large", check: check, next: other }
        task other { for_each: field in state.fields, process: Other with state.clone(), retry: { max: 2 }, next: asked }
        task asked -> Field { for_each: field in state.fields, prompt: "${field.name}", effect: once, next: done }
        task done { end }
    }
}

fn main() {}
