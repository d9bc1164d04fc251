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
pub struct Words {
    pub words: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Desk {
    pub open: bool,
}

cot_process! {
    pub process Demo {
        state: Desk,
        tools: {
            search: search "Searches.",
            price: price "Looks up a price." { mock: made_up },
        },
        task ask -> Field { prompt: "Ask.", tools: [search, price], next: done }
        task done { end }
    }
}

async fn search(_: &Words, _: &State) -> Result<u32, std::fmt::Error> {
    Ok(1)
}

async fn price(_: &Words, _: &Desk) -> Result<u32, std::fmt::Error> {
    Ok(1)
}

fn made_up(_: &Words, _: &State) -> u32 {
    1
}

fn main() {}
