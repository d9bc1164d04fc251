//! `cot task check`: reports errors and warnings of traces.

use std::path::Path;

use clap::Args;
use cot_task_format::Report;
use serde_json::{Map, Value};

use super::trace;
use crate::{
    help,
    input::{self, Files, InputError},
    output,
    verdict::{Outcome, Verdict},
};

/// Reports the errors and warnings of traces, in syntax and in meaning.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot task check trace.task",
        "cot task check --json *.task | jq -r 'select(.valid | not).file'",
        "cot task check --deny-warnings - < trace.task",
    ],
    "a file has errors, or with --deny-warnings any warnings",
))]
pub(crate) struct Check {
    /// Print a line of JSON for each file instead of messages: `file`, `valid`, `errors` and `warnings`
    /// with `code`, `message`, `line` and `column`, and a summary of the trace.
    #[arg(long)]
    json: bool,
    /// Exit with 1 for warnings too.
    #[arg(long)]
    deny_warnings: bool,
    #[command(flatten)]
    files: Files,
}

impl Check {
    pub(crate) fn run(self) -> Outcome {
        self.files.each(|path| self.check(path))
    }

    fn check(&self, path: &Path) -> Outcome {
        let text = match input::text(path) {
            Ok(text) => text,
            Err(error) => return self.reject(path, error),
        };
        let report = cot_task_format::check(&text);
        if self.json {
            output::json(&object(path, &report))?;
        } else {
            show(path, &text, &report);
        }
        let is_fine = report.is_valid() && (report.warnings.is_empty() || !self.deny_warnings);
        Ok(if is_fine { Verdict::Fine } else { Verdict::Findings })
    }

    /// Reports a file that is not UTF-8 with its own code, for consumers of the JSON.
    fn reject(&self, path: &Path, error: InputError) -> Outcome {
        if let InputError::NotText { errors, .. } = &error
            && self.json
        {
            let mut report = Report::default();
            report.errors = errors.as_slice().to_vec();
            output::json(&object(path, &report))?;
        }
        Err(error.into())
    }
}

fn object(path: &Path, report: &Report) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("file".to_owned(), path.to_string_lossy().into());
    if let Value::Object(report) = report.to_json() {
        object.extend(report);
    }
    object
}

fn show(path: &Path, text: &str, report: &Report) {
    let mut findings = [&*report.errors, &*report.warnings].concat();
    findings.sort_by_key(|finding| finding.position);
    trace::show(path, text, &findings);
}
