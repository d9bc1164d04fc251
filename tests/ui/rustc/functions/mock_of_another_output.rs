use cot_core::{Reply, prelude::*};
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

fn text(_: &State) -> String {
    String::new()
}

fn reply(_: &State) -> Reply<String> {
    Reply::json(1.into())
}

fn item(_: &Field) -> Field {
    Field { name: String::new() }
}

cot_process! {
    pub process Demo {
        state: State,
        task a -> Field { mock: text, next: b }
        task b -> Field { mock: reply, next: c }
        task c -> Field { mock: item, next: done }
        task done { end }
    }
}

fn main() {}
