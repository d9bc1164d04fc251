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

async fn load(_: &Field) -> Result<Field, std::io::Error> {
    Ok(Field { name: String::new() })
}

async fn fetch(_: &State) -> Result<String, std::io::Error> {
    Ok(String::new())
}

fn wait(_: &State) -> Result<(), std::io::Error> {
    Ok(())
}

cot_process! {
    pub process Demo {
        state: State,
        task a -> Field { run: load, next: b }
        task b -> Field { run: fetch, next: c }
        task c { run: wait, next: done }
        task done { end }
    }
}

fn main() {}
