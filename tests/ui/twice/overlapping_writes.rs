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
    pub last: Field,
    pub first: Option<Field>,
    pub by_name: std::collections::BTreeMap<String, Field>,
}

cot_process! {
    pub process Demo {
        state: State,
        task add -> Field { update: { last.name = output.name, last = output }, next: list }
        task list -> Field { update: { fields[] = output, fields = vec![] }, next: create }
        task create -> Field {
            update: { first?.name = output.name, last.name = state.last.name, first = None },
            next: insert,
        }
        task insert -> Field { update: { by_name["a"] = output, by_name = state.by_name }, next: done }
        task done { end }
    }
}

fn main() {}
