//! Tools: functions of every form, a source, guards and settings.
#![deny(warnings, missing_docs)]

use cot_core::{Cx, ToolSource, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Search {
    text: String,
}
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Answer {
    text: String,
}
#[derive(Debug, Clone, Serialize)]
struct Hit {
    title: String,
}
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Shop {
    is_confirmed: bool,
    answer: String,
}
struct App {
    files: Arc<dyn ToolSource>,
    boxed: Box<dyn ToolSource>,
}
impl App {
    fn lent(&self) -> &dyn ToolSource {
        &*self.boxed
    }
}
cot_process! {
    process Desk {
        state: Shop,
        context: App,
        history: { tools: names },
        max_tool_calls: 9,
        tools: {
            search: search "Searches the catalogue",
            pay: charge "Charges" { effect: once, approve: person, timeout: 30s, retry: { max: 2 }, mock: fake_charge } if state.is_confirmed,
            plain: plain "Plain",
            boxed: source app.boxed { only: [boxed] },
            lent: source app.lent() { only: [lent] },
            files: source app.files { only: [read_text_file, "list-directory"], timeout: 10s },
        }
        task answer -> Answer {
            prompt: "Answer",
            tools: [search, files, boxed, lent, plain, pay if !state.answer.is_empty()],
            max_tool_calls: 3,
            update: { answer = output.text },
            on: { interrupted => done },
            next: done,
        }
        task done { end }
    }
}

async fn search(args: &Search, shop: &Shop, cx: &Cx<'_, Desk>) -> Result<Vec<Hit>, std::io::Error> {
    let _ = (cx.app(), shop.is_confirmed);
    Ok(vec![Hit { title: args.text.clone() }])
}
async fn charge(args: &Search, _: &Shop) -> Result<String, std::io::Error> {
    Ok(args.text.clone())
}
async fn plain(args: &Search) -> Result<u32, std::convert::Infallible> {
    Ok(args.text.len() as u32)
}
fn fake_charge(_: &Search, _: &Shop) -> String {
    "ok".into()
}

fn main() {
    let _: fn(App) = |app| drop(Desk::runner(app));
}
