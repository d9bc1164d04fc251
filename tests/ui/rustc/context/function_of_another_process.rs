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
    pub last: Option<String>,
}

pub struct App;

cot_process! {
    pub process Other { state: State, task done { end } }
}

cot_process! {
    pub process Demo {
        state: State,
        context: App,
        task pay -> Field { run: pay, next: write }
        task write -> Field { prompt: "Write.", check: fits, mock: made_up, next: done }
        task done { end }
    }
}

async fn pay(_: &State, _: &Cx<'_, Other>) -> Result<Field, std::fmt::Error> {
    Err(std::fmt::Error)
}

fn fits(_: &Field, _: &State, _: &Cx<'_, Other>) -> Result<(), Issues> {
    Ok(())
}

fn made_up(_: &State, _: &Cx<'_, Other>) -> Field {
    Field { name: String::new() }
}

fn main() {}
