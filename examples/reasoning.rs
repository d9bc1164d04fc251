//! A question that the model thinks through: the reply is printed while it streams, then parsed into steps
//! and a conclusion. A process does the same: a task that reasons precedes a task with a structured output.
//!
//! `cargo run --example reasoning`

use std::{
    error::Error,
    fs,
    io::{self, Write},
    sync::Arc,
};

use cot_core::{
    model::ScriptedModel,
    prelude::*,
    reasoning::{Reasoner, ReasoningEvent, Step},
};
use cot_examples::{Arguments, print_event, say};
use futures_util::StreamExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const QUESTION: &str =
    "A train leaves at 9:40 and takes 2 hours and 35 minutes. When does it arrive?";

/// A structured answer.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Answer {
    /// In a few words.
    #[schemars(length(min = 1, max = 100))]
    text: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Inquiry {
    question: String,
    steps: Vec<Step>,
    answer: Option<Answer>,
}

cot_process! {
    process Think {
        state: Inquiry,
        task think {
            reason: "${state.question}",
            update: { steps = output.steps },
            next: answer,
        }
        task answer -> Answer {
            prompt: "${state.question}\nThe reasoning so far: ${json(state.steps)}",
            update: { answer = Some(output) },
            next: done,
        }
        task done { end }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::read()?;
    let model = Arc::new(arguments.model(script())?);
    let question = match &arguments.input {
        Some(file) => serde_json::from_str(&fs::read_to_string(file)?)?,
        None => QUESTION.to_owned(),
    };
    say("question", &question);

    let mut reasoning = Reasoner::new(Arc::clone(&model)).max_tokens(1_000).start(&question);
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

    say("\nprocess", "thinks, and then answers");
    let inquiry = Inquiry { question, ..Inquiry::default() };
    let run =
        Think::runner().model(model).observe(|event, _| print_event(event)).run(inquiry).await?;
    say("answer", run.state.answer.map(|answer| answer.text).unwrap_or_default());
    Ok(())
}

/// The replies for runs without a real model, in chunks of a few characters.
fn script() -> ScriptedModel {
    let reply = "Step 1: Add the hours: 9:40 and 2 hours make 11:40.\n\
                 Step 2: Add the minutes: 11:40 and 35 minutes make 12:15.\n\
                 Conclusion: It arrives at 12:15.";
    ScriptedModel::new([reply, reply, r#"{ "text": "At 12:15." }"#]).streaming(7)
}
