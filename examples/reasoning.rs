//! A question that the model thinks through: the reply is printed while it streams, then parsed into steps
//! and a conclusion. A process does the same: a task that reasons precedes a task with a structured output.
//!
//! Both are stored in a SQLite file: kill the program at any time and start it again, and it asks only what has no
//! reply yet.
//!
//! ```sh
//! cargo run -p cot-examples --example reasoning
//! cargo run -p cot-examples --example reasoning -- --die-after 0 # dies in the middle of its first call
//! ```

use std::{
    env,
    error::Error,
    fs,
    io::{self, Write},
    sync::Arc,
};

use cot_core::{
    model::{ModelRequest, ModelSettings, ScriptedModel},
    prelude::*,
    reasoning::{Reasoner, ReasoningEvent, Step},
};
use cot_examples::{Arguments, Mortal, print_event, say};
use cot_sqlite::SqliteStore;
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
    let model = Arc::new(Mortal::new(arguments.model(script())?, arguments.die_after));
    let file = env::temp_dir().join("cot-reasoning.sqlite");
    let store = SqliteStore::open(&file)?;
    let question = match &arguments.input {
        Some(file) => serde_json::from_str(&fs::read_to_string(file)?)?,
        None => QUESTION.to_owned(),
    };
    say("question", &question);

    let reasoner = Reasoner::new(Arc::clone(&model))
        .settings(ModelSettings { max_tokens: Some(1_000), ..ModelSettings::default() });
    let mut reasoning = reasoner
        .configure(|runner| runner.store(store.clone()).run_id("question"))
        .start(&question);
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
    for step in &machine.steps {
        say("step", format_args!("{}: {}", step.number, step.content));
    }
    say("result", machine.result().unwrap_or_default());
    say("usage", format_args!("{:?}", machine.usage()));

    say("\nprocess", "thinks, and then answers");
    let inquiry = Inquiry { question, ..Inquiry::default() };
    let runner = Think::runner().model(model).store(store).run_id("inquiry");
    let run = runner.observe(|event, _| print_event(event)).run(inquiry).await?;
    say("answer", run.state.answer.map(|answer| answer.text).unwrap_or_default());
    say("file", format_args!("remove {} to start again", file.display()));
    Ok(())
}

/// The replies for runs without a real model, in chunks of a few characters.
fn script() -> ScriptedModel {
    ScriptedModel::from_fn(|request: &ModelRequest| {
        if request.prompt().contains("The reasoning so far") {
            return r#"{ "text": "At 12:15." }"#;
        }
        "Step 1: Add the hours: 9:40 and 2 hours make 11:40.\n\
         Step 2: Add the minutes: 11:40 and 35 minutes make 12:15.\n\
         Conclusion: It arrives at 12:15."
    })
    .streaming(7)
}
