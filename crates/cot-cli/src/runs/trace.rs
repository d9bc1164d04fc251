//! `cot runs trace`: writes a run as a trace in the TASK format.

use std::path::PathBuf;

use clap::Args;
use cot_agents::recorder::load_trace;
use cot_store::{RunId, StoreError};

use super::{
    store::{StoreFile, wait},
    words::STATUS_ONE,
};
use crate::{
    help, input, output,
    verdict::{Outcome, Verdict},
};

/// Writes a run as a trace in the TASK format: its tasks, calls and results from the start until now.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot runs trace order-17 --store runs.db",
        "cot runs trace order-17 --output order-17.task --store runs.db",
        "cot runs trace order-17 --store runs.db | cot task json -",
    ],
    STATUS_ONE,
))]
pub(super) struct Trace {
    #[command(flatten)]
    store: StoreFile,
    /// The run.
    #[arg(value_name = "RUN")]
    run: RunId,
    /// The file to write; default: standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Trace {
    pub(super) fn run(self) -> Outcome {
        let store = self.store.open_read_only()?;
        let trace = wait(load_trace(&*store, &self.run))??;
        let text = trace.ok_or(StoreError::UnknownRun { run: self.run })?.to_string();
        match self.output.filter(|path| !input::is_standard(path)) {
            Some(path) => output::file(&path, &text)?,
            None => output::text(&text)?,
        }
        Ok(Verdict::Fine)
    }
}
