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

fn plain(_: &State) -> Result<Field, std::fmt::Error> {
    Err(std::fmt::Error)
}

async fn number(_: &State) -> Result<u32, std::fmt::Error> {
    Ok(1)
}

async fn owner(_: State) -> Result<Field, std::fmt::Error> {
    Err(std::fmt::Error)
}

async fn both(_: &Field) -> u32 {
    1
}

async fn without_inputs(_: &State) -> Result<Field, std::fmt::Error> {
    Err(std::fmt::Error)
}

cot_process! {
    pub process Demo {
        state: State,
        task search -> Field { run: plain, next: again }
        task again -> Field { run: number, next: own }
        task own -> Field { run: owner, next: neither }
        task neither -> Field { run: both, next: last with 1 }
        task last -> Field { inputs: u32, run: without_inputs, next: done }
        task done { end }
    }
}

fn main() {}
