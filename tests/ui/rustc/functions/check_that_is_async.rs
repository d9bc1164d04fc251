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

async fn check(_: &Field, _: &State) -> Result<(), Issues> {
    Ok(())
}

cot_process! {
    pub process Demo {
        state: State,
        task add -> Field { check: check, next: done }
        task done { end }
    }
}

fn main() {}
