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

async fn find(_: &State) -> Result<Field, std::fmt::Error> {
    Err(std::fmt::Error)
}

fn sound(_: &Field, _: &State) -> Result<(), Issues> {
    Ok(())
}

cot_process! {
    pub process Demo {
        state: State,
        task search -> Field { run: find, check: sound, next: done }
        task done { end }
    }
}

fn main() {}
