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

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Local {
    pub cell: std::cell::Cell<u8>,
    #[serde(skip)]
    pub shared: std::rc::Rc<u8>,
}

cot_process! {
    pub process Demo {
        state: Local,
        task decide { transitions: { done } }
        task done { end }
    }
}

fn main() {}
