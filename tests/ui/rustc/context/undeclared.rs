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
    pub pool: String,
}

cot_process! {
    pub process Demo {
        state: State,
        task pay { run: pay, next: write }
        task write -> Field { prompt: "Write.", check: fits, mock: made_up, next: done }
        task done { end }
    }
}

async fn pay(_: &State, cx: &Cx<'_, Demo>) -> Result<(), std::fmt::Error> {
    let app = cx.app();
    send(&app.pool, app.pool.len()).await
}

async fn send(_: &str, _: usize) -> Result<(), std::fmt::Error> {
    Ok(())
}

fn fits(_: &Field, _: &State, cx: &Cx<'_, Demo>) -> Result<(), Issues> {
    match cx.app().pool.is_empty() {
        true => Err(Issues::at("$.name", "is too long")),
        false => Ok(()),
    }
}

fn made_up(_: &State, cx: &Cx<'_, Demo>) -> Field {
    let App { pool } = cx.app();
    Field { name: pool.clone() }
}

fn main() {}
