#![deny(deprecated)]

use cot_core::{History, prelude::*};
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
        task add -> Field { prompt: "After {state.last}", update: fields[], next: check }
        task check -> Field { ask: "Is it right?", timeout: 1h, update: fields[], next: done }
        task done { end }
    }
}

cot_process! {
    pub process Forgetful {
        state: { fields: Vec<Field> = Vec::new(), history: History = History::default() },
        task add -> Field { prompt: "${state.history.len()}: ${json(&state.fields)}", update: fields[], next: done }
        task done { end }
    }
}

async fn pay(_: &State) -> Result<u64, std::io::Error> {
    Ok(5)
}

cot_process! {
    pub process Shop {
        state: State,
        task pay -> u64 { run: pay, effect: once, next: done }
        task done { end }
    }
}

cot_process! {
    #[allow(deprecated)]
    pub process Silenced {
        state: State,
        task add -> Field { prompt: "After $state.last", update: fields[], next: check }
        task check -> Field { ask: "Is it right?", timeout: 1h, update: fields[], next: done }
        task done { end }
    }
}

fn main() {}
