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
        state: State,
        context: App,
        tools: {
            not_async: not_async "Is not async",
            by_value: by_value "Takes its arguments by value",
            no_result: no_result "Returns no result",
            plain: plain "Takes arguments without a schema",
            files: source app.files { only: [read] },
            mocked: mocked "Is mocked" { mock: other_result },
        },
        task write -> Field { tools: [not_async, by_value, no_result, plain, files, mocked], next: done }
        task done { end }
    }
}

pub struct App {
    pub files: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Plain {
    pub text: String,
}

fn not_async(field: &Field, _: &State) -> Result<String, std::fmt::Error> {
    Ok(field.name.clone())
}

async fn by_value(field: Field, _: &State) -> Result<String, std::fmt::Error> {
    Ok(field.name)
}

async fn no_result(field: &Field) -> String {
    field.name.clone()
}

async fn plain(plain: &Plain) -> Result<String, std::fmt::Error> {
    Ok(plain.text.clone())
}

async fn mocked(field: &Field) -> Result<String, std::fmt::Error> {
    Ok(field.name.clone())
}

fn other_result(_: &Field) -> u32 {
    1
}

fn main() {}
