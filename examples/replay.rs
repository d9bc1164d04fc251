//! Captures a run, replays it without a model, and shows the errors of a replay after a prompt has changed.
//!
//! `cargo run -p cot-examples --example replay` captures a run with a scripted model: the mail and the replies are invented,
//! the capture and the replays are real. A real model that the environment names is captured in its place.

use std::{env, error::Error, fmt::Debug};

use cot_core::{
    Halt, HaltReason,
    model::{OpenAiCompatible, ScriptedModel},
    prelude::*,
    replay::{Capture, Replay},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A promise in a mail.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Promise {
    /// The person who promises it.
    #[schemars(length(min = 1, max = 80))]
    pub who: String,
    /// The promised thing.
    #[schemars(length(min = 1, max = 200))]
    pub what: String,
}

/// A mail and the promise in it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Mail {
    /// The text of the mail.
    pub text: String,
    /// The promise in the mail.
    pub promise: Option<Promise>,
}

/// The process at the time of the capture.
mod before {
    use super::*;

    cot_process! {
        /// Finds the promise in a mail.
        pub process Promises {
            state: Mail,
            intro: "You read mails. This is one:\n${quoted(&state.text)}",

            task find -> Promise {
                title: "Find the promise",
                prompt: "Say who promises what in the mail.",
                update: { promise = Some(output) },
                next: found,
            }

            task found { end }
        }
    }
}

/// The process today, with a changed prompt.
mod today {
    use super::*;

    cot_process! {
        /// Finds the promise in a mail.
        pub process Promises {
            state: Mail,
            intro: "You read mails. This is one:\n${quoted(&state.text)}",

            task find -> Promise {
                title: "Find the promise",
                prompt: "Say who promises what in the mail. Leave out what is merely hoped for.",
                update: { promise = Some(output) },
                next: found,
            }

            task found { end }
        }
    }
}

/// The mail of the captured run. Text that looks like a key is removed from the capture.
const MAIL: &str = "I hope for sun. The report is with you on Friday. Use sk-test-0123456789abcdef \
                    to open it.\nAda";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let file = env::temp_dir().join("cot-replay.jsonl");

    println!("1. Capture a run");
    let capture = Capture::to_file(&file)?;
    let runner = before::Promises::runner().model(model()?).observe(|event, _| println!("{event}"));
    runner.capture(capture.clone()).run(mail(MAIL)).await?;
    capture.finish()?;
    println!("captured in {}", file.display());

    println!("2. Replay it, without a model");
    let replay = Replay::from_file(&file)?;
    let runner =
        before::Promises::runner().replay(replay.clone()).observe(|event, _| println!("{event}"));
    runner.run(mail(MAIL)).await?;
    println!("unused: {} calls", replay.unused().len());

    println!("3. Replay it with another mail");
    let runner = before::Promises::runner().replay(replay.clone());
    let run = runner.report(mail(&MAIL.replace("Friday", "Monday"))).await?;
    print_why(run.outcome.halt());

    println!("4. Replay it with a reworded prompt");
    let run = today::Promises::runner().replay(replay.clone()).report(mail(MAIL)).await?;
    print_why(run.outcome.halt());

    println!("5. The same, where reworded prompts are accepted");
    let runner = today::Promises::runner().replay(replay.accept_changed_fixed_text());
    let run = runner.observe(|event, _| println!("{event}")).run(mail(MAIL)).await?;
    println!("promise: {:?}", run.state.promise);
    Ok(())
}

/// Prints the difference between the run and the captured one.
fn print_why<T: Debug>(halt: Option<&Halt<T>>) {
    match halt.map(|halt| &halt.reason) {
        Some(HaltReason::Unreachable(error)) => println!("halted: {error}"),
        other => println!("continued: {other:?}"),
    }
}

fn mail(text: &str) -> Mail {
    Mail { text: text.to_owned(), promise: None }
}

/// The model of a server, if the environment names one. Otherwise replies that are written here.
fn model() -> Result<Box<dyn LanguageModel>, Box<dyn Error>> {
    Ok(match OpenAiCompatible::from_env() {
        Some(server) => Box::new(server.build()?),
        None => Box::new(script()),
    })
}

fn script() -> ScriptedModel {
    ScriptedModel::new([json!({ "who": "Ada", "what": "the report on Friday" })])
}
