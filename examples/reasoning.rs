//! A question that the model thinks through aloud: the reply is shown while it comes in, and then taken
//! apart into steps and a conclusion.
//!
//! `cargo run -p cot-examples --example reasoning`

use std::{
    error::Error,
    fs,
    io::{self, Write},
};

use cot_core::{
    model::ScriptedModel,
    reasoning::{Reasoner, ReasoningEvent},
};
use cot_examples::{Arguments, say};
use futures_util::StreamExt;

const QUESTION: &str =
    "A train leaves at 9:40 and takes 2 hours and 35 minutes. When does it arrive?";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::read()?;
    let model = arguments.model(script())?;
    let question = match &arguments.input {
        Some(file) => serde_json::from_str(&fs::read_to_string(file)?)?,
        None => QUESTION.to_owned(),
    };
    say("question", &question);

    let mut reasoning = Reasoner::new(model).max_tokens(1_000).start(question);
    while let Some(event) = reasoning.next().await {
        match event {
            ReasoningEvent::Started { call_id } => say("asks", call_id),
            ReasoningEvent::Delta(text) => {
                print!("{text}");
                io::stdout().flush()?;
            }
            ReasoningEvent::Restarted => say("\nagain", "from the beginning"),
            ReasoningEvent::Finished(status) => say("\nstatus", format_args!("{status:?}")),
            _ => {}
        }
    }

    let machine = reasoning.finish().await?;
    for step in machine.steps() {
        say("step", format_args!("{}: {}", step.number, step.content));
    }
    say("result", machine.result().unwrap_or_default());
    say("usage", format_args!("{:?}", machine.usage()));
    Ok(())
}

/// The answer of a run without a real model, in pieces of a few characters.
fn script() -> ScriptedModel {
    let reply = "Step 1: Add the hours: 9:40 and 2 hours make 11:40.\n\
                 Step 2: Add the minutes: 11:40 and 35 minutes make 12:15.\n\
                 Conclusion: It arrives at 12:15.";
    ScriptedModel::new([reply]).streaming(7)
}
