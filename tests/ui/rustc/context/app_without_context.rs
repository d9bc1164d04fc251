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

pub struct App {
    pub name: String,
}

cot_process! {
    pub process Inner {
        state: State,
        context: App,
        task note { run: note, next: done }
        task done { end }
    }
}

async fn note(_: &State, _: &Cx<'_, Inner>) -> Result<(), std::fmt::Error> {
    Ok(())
}

cot_process! {
    pub process Demo {
        state: State,
        task note { process: Inner with state.clone(), context: app.inner.clone(), next: done }
        task done { end }
    }
}

cot_process! {
    pub process Reader {
        state: State,
        tools: { files: source app.files { only: [read_file] } },
        task ask -> Field { prompt: "Ask.", tools: [files], next: done }
        task done { end }
    }
}

fn main() {}
