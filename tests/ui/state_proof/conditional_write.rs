use cot_core::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Found {
    pub policy: Option<String>,
}

cot_process! {
    pub process Demo {
        state: { policy: String },
        task find -> Found {
            prompt: "Which policy is it?",
            update: { policy = policy if let Some(policy) = output.policy },
            next: done,
        }
        task done { fail: "It is ${state.policy}." }
    }
}

fn main() {}
