use cot_core::{Secret, prelude::*};
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

async fn token(_: &State) -> Result<Secret<String>, std::fmt::Error> {
    Err(std::fmt::Error)
}

async fn tokens(_: &State) -> Result<Vec<Secret<String>>, std::fmt::Error> {
    Err(std::fmt::Error)
}

cot_process! {
    pub process Demo {
        state: State,
        task one -> Secret<String> { run: token, next: many }
        task many -> Vec<Secret<String>> { run: tokens, next: done }
        task done { end }
    }
}

fn main() {}
