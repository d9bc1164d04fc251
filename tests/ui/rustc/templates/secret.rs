use cot_core::{Secret, prelude::*};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct State {
    pub key: Secret<String>,
}

cot_process! {
    pub process Demo {
        state: State,
        task decide { prompt: "The key is ${state.key}", transitions: { done } }
        task done { end }
    }
}

fn main() {}
