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

/// Stands for the connection of a store.
pub struct Connection;

async fn without_connection(_: &State) -> Result<Field, std::fmt::Error> {
    Err(std::fmt::Error)
}

async fn connection_first(_: &mut Connection, _: &State) -> Result<Field, std::fmt::Error> {
    Err(std::fmt::Error)
}

async fn right(_: &State, _: &mut Connection) -> Result<Field, std::fmt::Error> {
    Err(std::fmt::Error)
}

async fn with_cx(
    _: &State,
    _: &mut Connection,
    _: &Cx<'_, Demo>,
) -> Result<Field, std::fmt::Error> {
    Err(std::fmt::Error)
}

cot_process! {
    pub process Demo {
        state: State,
        task book -> Field { run: without_connection, effect: transaction, next: pay }
        task pay -> Field { run: connection_first, effect: transaction, next: send }
        task send -> Field { run: right, next: note }
        task note -> Field { run: with_cx, effect: transaction, next: keep }
        task keep -> Field { run: right, effect: transaction, next: done }
        task done { end }
    }
}

fn main() {}
