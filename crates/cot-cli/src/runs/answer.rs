//! `cot runs answer`: answers what a run asks a person.

use std::path::Path;

use annotate_snippets::Level;
use clap::Args;
use cot_core::{
    CallKey, Issues,
    store::{RunId, RunSummary, Status, Store, StoreError},
};
use serde_json::Value;

use super::{
    store::{StoreFile, known, wait},
    words::plain,
};
use crate::{
    help, input, message, output,
    text::without_mark,
    verdict::{Outcome, Verdict},
};

/// Answers what a run asks a person, and prints the key of the question.
///
/// The answer is read as the run will read it, and written only if it fits. The program that drives the run
/// takes it, or the one that goes on with it later; it may still refuse it, if the process has rules of its own.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot runs answer order-17 approve '{\"is_good\":true}' --store runs.db",
        "cot runs answer order-17 approve#2@1 - --store runs.db < answer.json",
    ],
    "the answer is refused, or the run does not ask this",
))]
pub(super) struct Answer {
    #[command(flatten)]
    store: StoreFile,
    /// The run.
    #[arg(value_name = "RUN")]
    run: RunId,
    /// The task that asks, or the key of the question, such as `approve#2@1`.
    #[arg(value_name = "TASK")]
    task: String,
    /// The answer; `-` is standard input.
    #[arg(value_name = "JSON")]
    answer: String,
}

impl Answer {
    pub(super) fn run(self) -> Outcome {
        let text = if self.answer == "-" { input::text(Path::new("-"))? } else { self.answer };
        let text = without_mark(&text);
        let answer: Value = match serde_json::from_str(text) {
            Ok(answer) => answer,
            Err(error) => return Ok(refuse(&format!("the answer is no JSON: {error}"))),
        };
        let store = self.store.change()?;
        let run = wait(known(&store, &self.run))??;
        let (key, schema) = match asked(&run, &self.task) {
            Ok(asked) => asked,
            Err(what) => return Ok(refuse(&what)),
        };
        match wait(store.answer(&run.run, key, answer))? {
            Err(StoreError::InvalidAnswer { issues, .. }) => return Ok(wrong(schema, &issues)),
            left => left?,
        }
        output::line(key.to_string())?;
        if let Some(error) = &run.driver_error {
            message::say(Level::WARNING, plain(error));
        } else if !run.is_driven {
            let note =
                "no program drives the run now; the one that goes on with it takes the answer";
            message::say(Level::NOTE, note);
        }
        Ok(Verdict::Fine)
    }
}

/// The question that is meant, or what is asked instead.
fn asked<'a>(run: &'a RunSummary, meant: &str) -> Result<(&'a CallKey, &'a Value), String> {
    let Status::Asking { task, key, schema, .. } = &run.status else {
        let (word, task) = (run.status.word(), run.status.task());
        return Err(format!("run `{}` asks nothing: its status is `{word}`, at `{task}`", run.run));
    };
    if meant == task || meant == key.task() || meant == key.to_string() {
        return Ok((key, schema));
    }
    Err(format!("run `{}` does not ask `{}`: it asks `{key}`", run.run, plain(meant)))
}

/// Says what is wrong with an answer.
fn wrong(schema: &Value, issues: &Issues) -> Verdict {
    for issue in issues.iter() {
        message::say(Level::ERROR, plain(&issue.to_string()));
    }
    message::say(Level::HELP, format!("the answer has to fit the schema {schema}"));
    Verdict::Findings
}

fn refuse(what: &str) -> Verdict {
    message::say(Level::ERROR, what);
    Verdict::Findings
}
