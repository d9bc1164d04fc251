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
        state: { fraud: Option<u32> = None, count: u32 = 0 },
        task ask -> Field {
            prompt: "Seen: ${count}, ${json(state.fraud)}.",
            update: { count = count + 1 },
            next: { look if fraud.is_some(), done if count > 3 && !state.fraud.is_none(), ask },
        }
        task look -> Field { prompt: "Look at ${fraud.unwrap_or_default()}.", next: { done if let Some(_) = fraud, ask } }
        task done { end }
    }
}

cot_process! {
    pub process OfAType {
        state: State,
        task ask -> Field { prompt: "Ask.", next: { done if last.is_some(), ask } }
        task done { end }
    }
}

cot_process! {
    pub process OnlyThere {
        state: { input request: String },
        task ask -> Field { prompt: "Ask: ${quoted(request)}", next: done }
        task done { end }
    }
}

fn main() {}
