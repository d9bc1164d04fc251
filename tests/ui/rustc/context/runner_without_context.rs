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
        state: State,
        context: App,
        task pay { run: pay, next: done }
        task done { end }
    }
}

async fn pay(_: &State, _: &Cx<'_, Demo>) -> Result<(), std::fmt::Error> {
    Ok(())
}

fn without() {
    let _ = Demo::runner().run(State::default());
}

fn of_another_type() {
    let _ = Demo::runner(3_u8).run(State::default());
}

fn by_hand() {
    let _ = cot_core::Machine::<Demo>::new();
}

fn main() {}
