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
    pub audit: std::sync::Arc<Audit>,
}

pub struct Audit;

cot_process! {
    pub process Inner {
        state: State,
        context: Audit,
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
        context: App,
        task missing { process: Inner with state.clone(), next: wrong }
        task wrong { process: Inner with state.clone(), context: 3_u8, next: done }
        task done { end }
    }
}

fn main() {}
