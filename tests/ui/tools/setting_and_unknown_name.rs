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
        tools: {
            search: search "Searches." { retries: 3 },
            price: price "Looks up a price." { timeout: 3 },
            files: source app.files { onyl: all },
        },
        context: App,
        task ask -> Field { prompt: "Ask.", tools: [serch, price, files, weather], next: done }
        task done { end }
    }
}

fn main() {}
