//! A process as a tool of an MCP server over stdio, such as for a client that starts programs.
//!
//! `cargo run -p cot-mcp --example served`, and in the settings of the client the path of the built program.

use std::error::Error;

use cot_core::{
    mcp::serve::{ProcessTool, ToolServer},
    model::ScriptedModel,
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The arguments of the tool.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Order {
    /// The number of the order.
    number: u32,
    /// What the customer asks.
    question: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Reply {
    text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Support {
    number: u32,
    question: String,
    answer: Option<String>,
}

cot_process! {
    /// Answers questions about orders.
    process Answer {
        state: Support,

        task reply -> Reply {
            prompt: "Order ${state.number}: ${state.question}",
            update: { answer = Some(output.text) },
            next: done,
        }

        task done { end }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    // A real program has a client of an inference server here.
    let model = ScriptedModel::from_fn(|_| r#"{ "text": "It arrives tomorrow." }"#);
    let start = |Order { number, question }: Order| Support { number, question, answer: None };
    let runner = Runner::<Answer>::new().model(model);
    let tool = ProcessTool::new("answer", "Answers a question about an order", runner, start)
        .result(|state| state.answer.clone());
    ToolServer::new("support", "1.0.0").tool(tool).stdio().await?;
    Ok(())
}
