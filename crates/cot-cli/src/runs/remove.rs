//! `cot runs remove`: removes a run.

use clap::Args;
use cot_store::RunId;

use super::{
    advice::refuse_without_yes,
    store::{StoreFile, require_run, wait},
    words::{STATUS_ONE, count},
};
use crate::{
    help, output,
    verdict::{Outcome, Verdict},
};

/// Removes a run with its journal, for a run that will never be resumed.
///
/// For old runs that have ended, use `cot runs prune`.
#[derive(Debug, Args)]
#[command(after_help = help::after(&["cot runs remove order-17 --yes --store runs.db"], STATUS_ONE))]
pub(super) struct Remove {
    #[command(flatten)]
    store: StoreFile,
    /// The run.
    #[arg(value_name = "RUN")]
    run: RunId,
    /// Remove the run; without it, only print what would be removed.
    #[arg(long)]
    yes: bool,
}

impl Remove {
    pub(super) fn run(self) -> Outcome {
        let run = &self.run;
        if self.yes {
            let store = self.store.open_writable()?;
            wait(store.remove(run))??;
            output::line(format!("run {run} removed"))?;
            return Ok(Verdict::Fine);
        }
        let store = self.store.open_read_only()?;
        let entries = count(wait(require_run(&*store, run))??.entries, "entry", "entries");
        let what = format!("this permanently removes run `{run}` and its {entries}");
        Ok(refuse_without_yes(what))
    }
}
