//! Tools: functions of every form, sources, guards and settings, and calls that the state holds.
#![deny(warnings, missing_docs)]

use cot_core::{
    Cx, ToolSource,
    model::{ToolCall, ToolRound},
    prelude::*,
};
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
    calls: Vec<ToolCall>,
    round: ToolRound,
}
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Chosen {
    call: Option<ToolCall>,
}
struct App {
    files: Arc<dyn ToolSource>,
    boxed: Box<dyn ToolSource>,
    own: Box<dyn ToolSource>,
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
            pay: charge "Charges" {
                effect: once,
                approve: person,
                timeout: 30s,
                retry: { max: 2 },
                mock: fake_charge,
            } if state.is_confirmed,
            plain: plain "Plain",
            boxed: source app.boxed { only: [boxed] },
            lent: source app.lent() { only: [lent] },
            own: source app.own { only: all, effect: once },
            files: source app.files { only: [read_text_file, "list-directory"], timeout: 10s },
        },

        task answer -> Answer {
            prompt: "Answer",
            tools: [search, files, boxed, lent, plain, pay if !state.answer.is_empty()],
            max_tool_calls: 3,
            update: { answer = output.text },
            on: { interrupted => done },
            next: call,
        }

        task call -> ToolRound {
            calls: state.calls,
            tools: [search, own, pay if state.is_confirmed],
            max_tool_calls: 100,
            max_concurrency: 4,
            timeout: 1m,
            wait: 1s,
            update: round,
            mock: answered,
            no_history,
            on: { interrupted => done, exhausted => done, timeout => done },
            next: {
                lent_calls if !output.is_empty(),
                chosen with Chosen { call: state.calls.first().cloned() },
            },
        }

        task lent_calls -> ToolRound {
            calls: state.round.iter().map(|(call, _)| call),
            tools: [search],
            process_output: file,
            next: chosen with Chosen { call: None },
        }

        task chosen -> ToolRound {
            inputs: Chosen,
            calls: inputs.call,
            tools: [search],
            next: computed,
        }

        task computed -> ToolRound { calls: computed(&state.answer), tools: [search], next: done }
        task done { end }
    }
}

fn answered(_: &Shop) -> ToolRound {
    ToolRound::default()
}
fn file(round: &ToolRound, shop: &mut Shop) {
    shop.answer = round.text.clone();
}
fn computed(text: &str) -> [ToolCall; 1] {
    [ToolCall::new("search", text)]
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

pub(super) fn main() {
    let _: fn(App) = |app| drop(Desk::runner(app));
}
