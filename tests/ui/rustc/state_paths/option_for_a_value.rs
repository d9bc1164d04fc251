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

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Found {
    pub name: Option<String>,
    pub other: u32,
}

cot_process! {
    pub process Demo {
        state: { transfer: Field, names: Vec<String> = Vec::new(), name: String = String::new(), old: Option<String> = None },
        task pay -> Option<Field> { run: pay, update: { transfer = output }, next: short }
        task short -> Option<Field> { run: pay, update: transfer, next: ask }
        task ask -> Found { prompt: "Ask.", update: { names[] = output.name, name = state.old }, next: fits }
        task fits -> Found {
            prompt: "Ask.",
            update: { old = output.name, name = name if let Some(name) = output.name, names[] = output.other },
            next: done,
        }
        task done { end }
    }
}

async fn pay(_: &DemoState) -> Result<Option<Field>, std::fmt::Error> {
    Ok(None)
}

fn main() {}
