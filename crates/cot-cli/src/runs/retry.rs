//! `cot runs retry`: puts runs back that were set aside.

use annotate_snippets::Level;
use clap::Args;
use cot_store::{RunFilter, RunId};

use super::{
    store::{StoreFile, require_run, wait},
    words::STATUS_ONE,
};
use crate::{
    help, message, output,
    verdict::{Outcome, Verdict},
};

/// Puts runs back that were set aside, and prints their names: workers drive them again.
///
/// `cot runs list --set-aside` shows these runs and their reasons.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &["cot runs retry order-17 --store runs.db", "cot runs retry --all --process Letters --store runs.db"],
    STATUS_ONE,
))]
pub(super) struct Retry {
    #[command(flatten)]
    store: StoreFile,
    /// The run.
    #[arg(value_name = "RUN", required_unless_present = "all")]
    run: Option<RunId>,
    /// All runs that are set aside.
    #[arg(long, conflicts_with = "run")]
    all: bool,
    /// Only runs of this process.
    #[arg(long, value_name = "PROCESS", requires = "all")]
    process: Option<String>,
}

impl Retry {
    pub(super) fn run(self) -> Outcome {
        let store = self.store.open_writable()?;
        let Some(run) = self.run else {
            let mut filter = RunFilter::default();
            filter.process = self.process;
            for run in wait(store.retry_all(&filter))?? {
                output::line(run.as_str())?;
            }
            return Ok(Verdict::Fine);
        };
        if wait(store.retry(&run))?? {
            output::line(run.as_str())?;
            return Ok(Verdict::Fine);
        }
        let status = wait(require_run(&*store, &run))??.status;
        let what = format!("run `{run}` is not set aside: {}", status.word());
        message::print(Level::ERROR, what);
        Ok(Verdict::Findings)
    }
}
