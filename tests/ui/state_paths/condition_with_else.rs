use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Name {
    pub name: String,
    pub rank: u32,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Best {
    pub best: String,
}

cot_process! {
    pub process Demo {
        state: Best,
        task ask -> Name {
            prompt: "Who is best?",
            update: { best = output.name if output.rank > 3 else "nobody".to_owned() },
            may_end,
        }
    }
}

fn main() {}
