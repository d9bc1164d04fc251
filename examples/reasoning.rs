//! A question that the model thinks through: the reply is printed while it streams, then parsed into steps
//! and a conclusion. A process does the same: a task that reasons precedes a task with a structured output.
//!
//! Both are stored in a SQLite file: kill the program at any time and start it again, and it asks only what has no
//! reply yet.
//!
//! ```sh
//! cargo run -p cot-examples --example reasoning
//! CRASH=1 cargo run -p cot-examples --example reasoning # dies in the middle of its first call
//! ```

use std::{
    env,
    error::Error,
    io::{self, Write},
    process,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
};

use cot_core::{
    model::{ModelRequest, ModelSettings, OpenAiCompatible, ScriptedModel},
    prelude::*,
    reasoning::{Reasoner, ReasoningEvent, Step},
};
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
    let model = Arc::new(model()?);
    let file = env::temp_dir().join("cot-reasoning.sqlite");
    let store = SqliteStore::open(&file)?;
    let question = env::args().nth(1).unwrap_or_else(|| QUESTION.to_owned());
    println!("question: {question}");

    let reasoner = Reasoner::new(Arc::clone(&model))
        .settings(ModelSettings { max_tokens: Some(1_000), ..ModelSettings::default() });
    let mut reasoning = reasoner
        .configure(|runner| runner.store(store.clone()).run_id("question"))
        .start(&question);
    while let Some(event) = reasoning.next().await {
        match event {
            ReasoningEvent::Started { call_id } => println!("asks {call_id}"),
            ReasoningEvent::Delta(text) => {
                print!("{text}");
                io::stdout().flush()?;
            }
            ReasoningEvent::Restarted => println!("\nfrom the beginning:"),
            ReasoningEvent::Finished(status) => println!("\nstatus: {status:?}"),
            _ => {}
        }
    }

    let machine = reasoning.finish().await?;
    for step in &machine.steps {
        println!("step {}: {}", step.number, step.content);
    }
    println!("result: {}", machine.result().unwrap_or_default());
    println!("{} tokens\n", machine.usage().total_tokens());

    let inquiry = Inquiry { question, ..Inquiry::default() };
    let runner = Think::runner().model(model).store(store).run_id("inquiry");
    let run = runner.observe(|event, _| println!("{event}")).run(inquiry).await?;
    println!("answer: {}", run.state.answer.map(|answer| answer.text).unwrap_or_default());
    println!("remove {} to start again", file.display());
    Ok(())
}

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(script()),
    })
}

/// The replies come in chunks of a few characters. `CRASH` is the call in the middle of which the program dies.
fn script() -> ScriptedModel {
    let dies_in = env::var("CRASH").ok().and_then(|call| call.parse::<u32>().ok());
    let calls = AtomicU32::new(0);
    ScriptedModel::from_fn(move |request: &ModelRequest| {
        if Some(calls.fetch_add(1, Relaxed) + 1) == dies_in {
            println!("the program dies");
            process::abort();
        }
        if request.prompt().contains("The reasoning so far") {
            return r#"{ "text": "At 12:15." }"#;
        }
        "Step 1: Add the hours: 9:40 and 2 hours make 11:40.\n\
         Step 2: Add the minutes: 11:40 and 35 minutes make 12:15.\n\
         Conclusion: It arrives at 12:15."
    })
    .streaming(7)
}
