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

mod app {
    pub async fn pay(_: u32) {}
    pub fn check(_: u8) {}
    pub fn process_output(_: u8) {}
    pub fn mock(_: u8) {}
    pub fn read(_: u8) {}
    pub fn prompt(_: u8) {}
    pub fn tool(_: u8) {}
}

cot_process! {
    pub process Demo {
        state: State,
        tools: { send: app::tool "Sends a mail." },
        task pay { run: app::pay, next: ask }
        task ask -> Field { prompt: "Ask.", check: app::check, process_output: app::process_output, next: read }
        task read -> Field { prompt: app::prompt, read: app::read, mock: app::mock, tools: [send], next: done }
        task done { end }
    }
}

fn main() {}
