//! `cot runs answer`: answers a question of a run.

use std::path::Path;

use annotate_snippets::Level;
use clap::Args;
use cot_engine::CallKey;
use cot_schema::Issues;
use cot_store::{RunId, RunSummary, Status, StoreError};
use serde_json::Value;

use super::{
    store::{StoreFile, require_run, wait},
    words::one_line,
};
use crate::{
    help, input, message, output,
    text::strip_byte_order_mark,
    verdict::{Outcome, Verdict},
};

/// Answers a question of a run to a person, and prints the key of the question.
///
/// The answer is read as the run will read it, and stored only if it matches. The program that drives
/// the run receives it, or the next one that resumes the run; it can still reject it if the process has
/// further rules.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot runs answer order-17 approve '{\"is_good\":true}' --store runs.db",
        "cot runs answer order-17 approve#2@1 - --store runs.db < answer.json",
    ],
    "the answer is rejected, or the run does not ask this question",
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
        let text = strip_byte_order_mark(&text);
        let answer: Value = match serde_json::from_str(text) {
            Ok(answer) => answer,
            Err(error) => return Ok(reject(&format!("the answer is not JSON: {error}"))),
        };
        let store = self.store.open_writable()?;
        let run = wait(require_run(&*store, &self.run))??;
        let (key, schema) = match find_question(&run, &self.task) {
            Ok(asked) => asked,
            Err(what) => return Ok(reject(&what)),
        };
        match wait(store.put_answer(&run.run, key, answer))? {
            Err(StoreError::InvalidAnswer { issues, .. }) => {
                return Ok(print_issues(schema, &issues));
            }
            stored => stored?,
        }
        output::line(key.to_string())?;
        if let Some(error) = &run.driver_error {
            message::print(Level::WARNING, one_line(error));
        } else if !run.is_driven {
            let note =
                "no program drives the run now; the next one that resumes it receives the answer";
            message::print(Level::NOTE, note);
        }
        Ok(Verdict::Fine)
    }
}

/// Returns the question that `meant` names, or describes the current question.
fn find_question<'a>(run: &'a RunSummary, meant: &str) -> Result<(&'a CallKey, &'a Value), String> {
    let Status::Asking { task, key, schema, .. } = &run.status else {
        let (word, task) = (run.status.word(), run.status.task());
        return Err(format!(
            "run `{}` has no question: its status is `{word}`, at `{task}`",
            run.run
        ));
    };
    if meant == task || meant == key.task() || meant == key.to_string() {
        return Ok((key, schema));
    }
    Err(format!("run `{}` does not ask `{}`: it asks `{key}`", run.run, one_line(meant)))
}

/// Prints the issues of an answer.
fn print_issues(schema: &Value, issues: &Issues) -> Verdict {
    for issue in issues.iter() {
        message::print(Level::ERROR, one_line(&issue.to_string()));
    }
    message::print(Level::HELP, format!("the answer must match the schema {schema}"));
    Verdict::Findings
}

fn reject(what: &str) -> Verdict {
    message::print(Level::ERROR, what);
    Verdict::Findings
}
