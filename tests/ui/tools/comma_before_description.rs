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
        tools: { search: search, "Searches the web." { effect: once }, price: shop::price, "Looks up a price." },
        task ask -> Field { prompt: "Ask.", tools: [search, price], next: done }
        task done { end }
    }
}

fn main() {}
