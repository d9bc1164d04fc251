//! Captures a run, replays it without a model, and shows what a replay says once a prompt has changed.
//!
//! `cargo run --example replay` captures a run on a scripted model: the mail that it
//! reads and the replies are made up, the capture and the replays are real. With `--base-url` the run
//! that is captured asks a real model.

use std::{error::Error, fmt::Debug};

use cot_core::{
    Halt, HaltReason,
    model::ScriptedModel,
    prelude::*,
    replay::{Capture, Replay},
};
use cot_examples::{Arguments, print_event, say};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What is promised in a mail.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Promise {
    /// Who promises it.
    #[schemars(length(min = 1, max = 80))]
    pub who: String,
    /// What is promised.
    #[schemars(length(min = 1, max = 200))]
    pub what: String,
}

/// A mail, and what is promised in it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Mail {
    /// The text of the mail.
    pub text: String,
    /// What is promised.
    pub promise: Option<Promise>,
}

/// The process as it was when the run was captured.
mod before {
    use super::*;

    cot_process! {
        /// Finds what is promised in a mail.
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

/// The same process today: somebody has reworded the prompt.
mod today {
    use super::*;

    cot_process! {
        /// Finds what is promised in a mail.
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

/// The mail that the run is captured with. What looks like a key does not get into the capture.
const MAIL: &str = "I hope for sun. The report is with you on Friday. Use sk-test-0123456789abcdef \
                    to open it.\nAda";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::read()?;
    let script = json!({ "who": "Ada", "what": "the report on Friday" });
    let model = arguments.model(ScriptedModel::from_fn(move |_| script.clone()))?;
    let file = std::env::temp_dir().join("cot-replay.jsonl");

    say("1", "capture a run");
    let capture = Capture::to_file(&file)?;
    let runner = before::Promises::runner().model(model).observe(|event, _| print_event(event));
    runner.capture(capture.clone()).run(mail(MAIL)).await?;
    capture.finish()?;
    say("captured", file.display());

    say("2", "replay it, without a model");
    let replay = Replay::from_file(&file)?;
    let runner =
        before::Promises::runner().replay(replay.clone()).observe(|event, _| print_event(event));
    runner.run(mail(MAIL)).await?;
    say("unused", format_args!("{} calls", replay.unused().len()));

    say("3", "replay it with another mail");
    let runner = before::Promises::runner().replay(replay.clone());
    let run = runner.run(mail(&MAIL.replace("Friday", "Monday"))).await?;
    say_why(run.outcome.halt());

    say("4", "replay it with a reworded prompt");
    let run = today::Promises::runner().replay(replay.clone()).run(mail(MAIL)).await?;
    say_why(run.outcome.halt());

    say("5", "the same, where reworded prompts are accepted");
    let runner = today::Promises::runner().replay(replay.accept_changed_fixed_text());
    let run = runner.observe(|event, _| print_event(event)).run(mail(MAIL)).await?;
    say("promise", format_args!("{:?}", run.state.promise));
    Ok(())
}

/// Says how the run differs from the captured one.
fn say_why<T: Debug>(halt: Option<&Halt<T>>) {
    match halt.map(|halt| &halt.reason) {
        Some(HaltReason::Unreachable(error)) => say("halted", error),
        other => say("went on", format_args!("{other:?}")),
    }
}

fn mail(text: &str) -> Mail {
    Mail { text: text.to_owned(), promise: None }
}
