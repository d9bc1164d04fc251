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

cot_process! {
    pub process Demo {
        state: State,
        task look -> Field { foreach: field in state.fields, run: look, update: { fields = output }, next: done }
        task ask -> Field { forEach: field in state.fields, prompt: "Look at ${field.name}.", check: fits, next: done }
        task done { end }
    }
}

async fn look(_: &State, field: &Field) -> Result<Field, std::fmt::Error> {
    Ok(field.clone())
}

fn fits(_: &Field, _: &State, _: &Field) -> Result<(), Issues> {
    Ok(())
}

fn main() {}
