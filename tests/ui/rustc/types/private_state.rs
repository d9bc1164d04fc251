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

mod inner {
    #[derive(Clone, Default, serde::Serialize, serde::Deserialize)]
    struct Hidden;

    cot_core::cot_process! {
        pub process Demo {
            state: Hidden,
            task done { end }
        }
    }
}

fn main() {}
