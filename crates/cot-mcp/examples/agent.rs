//! A shop assistant with three tools: a function, one that a person must approve, and one of an MCP server.
//!
//! ```sh
//! cargo run -p cot-mcp --example agent          # approves the order
//! cargo run -p cot-mcp --example agent -- deny  # denies it
//! ```
//!
//! The model is scripted, so that no key is needed. The MCP server is this program, started with the argument
//! `serve`: it serves a process as a tool.

use std::{collections::BTreeMap, convert::Infallible, env, error::Error, process::Command};

use cot_core::{
    Approval, RunEvent,
    mcp::{
        McpServer, McpTools,
        serve::{ProcessTool, ServeError, ToolServer},
    },
    model::{ModelReply, ModelRequest, ScriptedModel, ToolCall},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What to look for in the catalogue.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Search {
    /// A word of the name, in the singular.
    #[schemars(length(min = 1, max = 40))]
    word: String,
}

/// An order of the customer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Order {
    /// The name, as the catalogue has it.
    article: String,
    #[schemars(range(min = 1, max = 20))]
    count: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Answer {
    text: String,
}

/// What the program gives to the process.
struct Shop {
    catalogue: BTreeMap<&'static str, u32>,
    carrier: McpTools,
}

cot_process! {
    /// Answers a customer.
    process Assistant {
        state: { input question: String, answer: Answer },
        context: Shop,
        tools: {
            search: search "Returns articles of the catalogue with their prices in cents",
            order: order "Orders an article for the customer" { effect: once, approve: person },
            carrier: source app.carrier { only: [delivery] },
        },

        task answer -> Answer {
            prompt: "The customer writes: ${state.question}",
            tools: [search, order, carrier],
            max_tool_calls: 8,
            update: answer,
            on: { interrupted => unknown },
            next: done,
        }

        task unknown { fail: "it is not known whether the article was ordered" }
        task done { end }
    }
}

async fn search(
    search: &Search,
    _: &AssistantState,
    cx: &Cx<'_, Assistant>,
) -> Result<BTreeMap<&'static str, u32>, Infallible> {
    let articles = cx.app().catalogue.iter().filter(|(name, _)| name.contains(&search.word));
    Ok(articles.map(|(name, cents)| (*name, *cents)).collect())
}

async fn order(order: &Order) -> Result<String, Infallible> {
    Ok(format!("ordered: {} x {}", order.count, order.article))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    match env::args().nth(1).as_deref() {
        Some("serve") => Ok(serve().await?),
        argument => answer(argument != Some("deny")).await,
    }
}

async fn answer(is_approved: bool) -> Result<(), Box<dyn Error>> {
    let mut command = Command::new(env::current_exe()?);
    command.arg("serve");
    let carrier = McpServer::stdio(command).name("carrier").only(["delivery"]).connect().await?;
    let catalogue = BTreeMap::from([("red kettle", 3990), ("blue kettle", 4290), ("teapot", 1990)]);
    let question = "A red kettle, please. When does it arrive?".to_owned();
    let mut run = Assistant::runner(Shop { catalogue, carrier })
        .model(ScriptedModel::from_fn(reply))
        .person(move |question| async move {
            println!("\n{}\n", question.text);
            if is_approved {
                Approval::approve()
            } else {
                Approval::deny("the kettle is for display")
            }
        })
        .start(AssistantState::new(question))?;
    while let Some(event) = run.next().await {
        match event {
            RunEvent::ToolCalled { tool, arguments, .. } => println!("-> {tool} {arguments}"),
            RunEvent::ToolReturned { tool, result, .. } => println!("<- {tool} {result:?}"),
            _ => {}
        }
    }
    let report = run.finish().await?;
    println!("\n{}", report.state.answer.map(|answer| answer.text).unwrap_or_default());
    Ok(())
}

/// Replies in the place of a model: the calls one after the other, and then the answer.
fn reply(request: &ModelRequest) -> ModelReply {
    let call = |tool, arguments| ModelReply::calling([ToolCall::new(tool, arguments)]);
    match request.rounds.as_slice() {
        [] => call("search", json!({ "word": "kettle" })),
        [_] => call("order", json!({ "article": "red kettle", "count": 1 })),
        [_, order] if order.calls.iter().any(|(_, result)| result.is_error) => {
            json!({ "text": "I am sorry: the red kettle is not for sale." }).into()
        }
        [_, _] => call("delivery", json!({ "article": "red kettle" })),
        _ => json!({ "text": "The red kettle costs 39.90 and arrives in 2 days." }).into(),
    }
}

/// The parcel of which the carrier is asked.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Parcel {
    /// The name of the article in it.
    article: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Route {
    article: String,
    days: u32,
}

cot_process! {
    /// Says when a parcel arrives.
    process Delivery {
        state: Route,
        task plan -> u32 { run: plan, update: { days = output }, next: done }
        task done { end }
    }
}

async fn plan(route: &Route) -> Result<u32, Infallible> {
    Ok(if route.article.contains("kettle") { 2 } else { 1 })
}

/// Serves the process of the carrier over the standard input and output.
async fn serve() -> Result<(), ServeError> {
    let start = |Parcel { article }: Parcel| Route { article, days: 0 };
    let tool =
        ProcessTool::new("delivery", "Returns the days until delivery", Delivery::runner(), start);
    ToolServer::new("carrier", "1.0.0").tool(tool).stdio().await
}
