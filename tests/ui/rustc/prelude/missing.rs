use cot_core::Secret;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Field {
    pub name: String,
}

cot_process! {
    pub process Demo {
        state: { name: String = String::new() },
        task ask -> Field { prompt: "Ask.", update: { name = output.name }, next: done }
        task done { end }
    }
}

fn main() {
    let _: Option<Secret<String>> = None;
}
