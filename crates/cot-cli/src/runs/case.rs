//! `cot runs case`: makes cases of an eval from runs.

use clap::Args;
use cot_store::{EndKind, RunId, Status, snapshot_at};
use serde::Serialize;
use serde_json::value::RawValue;
use thiserror::Error;

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
/// What is right is given, or taken from the end of the run: its last state.
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
}

/// The error for a run whose last state can't be what is right.
#[derive(Debug, Error)]
#[error("the run `{run}` has not ended well, so that its last state is not what is right")]
struct NoEndError {
    run: RunId,
}

/// A case as a line of JSON.
#[derive(Serialize)]
struct CaseLine<'a> {
    name: &'a RunId,
    state: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    tags: &'a [String],
}

fn json(text: &str) -> Result<Box<RawValue>, serde_json::Error> {
    serde_json::from_str(text)
}

impl Case {
    pub(super) fn run(self) -> Outcome {
        let store = self.store.open_read_only()?;
        for run in &self.runs {
            let known = wait(require_run(&*store, run))??;
            let start = wait(snapshot_at(&*store, run, 0))??;
            let end = match (self.expected_state, &known.status) {
                (false, _) => None,
                (true, Status::Ended { how: EndKind::End | EndKind::RanOut, .. }) => {
                    Some(wait(snapshot_at(&*store, run, known.steps))??)
                }
                (true, _) => return Err(NoEndError { run: run.clone() }.into()),
            };
            let expected = end.as_ref().map(|end| end.state()).or(self.expected.as_deref());
            let state = start.state();
            output::json(&CaseLine { name: run, state, expected, tags: &self.tags })?;
        }
        Ok(Verdict::Fine)
    }
}
