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

pub struct App;

cot_process! {
    pub process Demo {
        state: &State,
        context: &App,
        task ask -> &Field { prompt: "Ask.", check: fits, next: pay with state.fields.clone() }
        task pay { inputs: &[Field], run: pay, next: done }
        task done { end }
    }
}

cot_process! {
    pub process Declared {
        state: { input name: &str, last: &'a Field },
        task ask -> Field { prompt: "Ask ${state.name}.", update: last, next: done }
        task done { end }
    }
}

fn fits(_: &Field, _: &State) -> Result<(), Issues> {
    Ok(())
}

async fn pay(_: &State, _: &Vec<Field>, cx: &Cx<'_, Demo>) -> Result<(), std::fmt::Error> {
    let _: &App = cx.app();
    Ok(())
}

fn main() {}
