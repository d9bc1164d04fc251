//! `cot runs case`: makes cases of an eval from runs.

use clap::Args;
use cot_store::{
    RunId,
    internal::{CaseParts, Right, case_line},
};
use serde_json::value::RawValue;

use super::{
    store::{StoreFile, require_run, wait},
    words::STATUS_ONE,
};
use crate::{
    help, output,
    verdict::{Outcome, Verdict},
};

/// Makes cases of an eval from runs: a line of JSON for each, with the state in which the run started.
///
/// What is right is given, or taken from the end of the run: its last state. Private fields of the state, and those
/// that hold what tasks made of them, are left out, and the case says which; an eval asks for their values.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot runs case order-17 --expected '\"refund\"' --store runs.db >> cases.jsonl",
        "cot runs case order-17 order-18 --expected-state --tag regression --store runs.db",
    ],
    STATUS_ONE,
))]
pub(super) struct Case {
    #[command(flatten)]
    store: StoreFile,
    /// The runs.
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<RunId>,
    /// What is right, as JSON.
    #[arg(long, value_name = "JSON", value_parser = json, conflicts_with = "expected_state")]
    expected: Option<Box<RawValue>>,
    /// The state in which the run ended is right. The run must have ended well.
    #[arg(long)]
    expected_state: bool,
    /// A tag of the cases. Can be given several times.
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Include all fields of the state, also private ones. Needed if the store has no description of the process.
    #[arg(long)]
    private: bool,
}

fn json(text: &str) -> Result<Box<RawValue>, serde_json::Error> {
    serde_json::from_str(text)
}

impl Case {
    pub(super) fn run(self) -> Outcome {
        let store = self.store.open_read_only()?;
        let right = match (self.expected_state, self.expected) {
            (true, _) => Right::LastState,
            (false, Some(json)) => Right::Json(json),
            (false, None) => Right::Unsaid,
        };
        let parts = CaseParts { right, tags: self.tags, has_private: self.private };
        for run in &self.runs {
            let run = wait(require_run(&*store, run))??;
            output::json(&wait(case_line(&*store, &run, &parts))??)?;
        }
        Ok(Verdict::Fine)
    }
}
