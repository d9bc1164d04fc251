//! `cot runs cut`: removes the unreadable end of a journal.

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

/// Removes the entries of a run from a number on, for a journal with an unreadable end.
///
/// The run resumes from the remaining entries; questions in the removed ones are asked again.
#[derive(Debug, Args)]
#[command(after_help = help::after(&["cot runs cut order-17 --from 12 --yes --store runs.db"], STATUS_ONE))]
pub(super) struct Cut {
    #[command(flatten)]
    store: StoreFile,
    /// The run.
    #[arg(value_name = "RUN")]
    run: RunId,
    /// The number of the first entry to remove.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    from: u64,
    /// Remove the entries; without it, only print what would be removed.
    #[arg(long)]
    yes: bool,
}

impl Cut {
    pub(super) fn run(self) -> Outcome {
        let Self { run, from, .. } = &self;
        if self.yes {
            let store = self.store.open_writable()?;
            let removed = wait(store.cut(run, *from))??;
            output::line(format!("{} of run {run} removed", entries(removed)))?;
            return Ok(Verdict::Fine);
        }
        let store = self.store.open_read_only()?;
        let removed = wait(require_run(&*store, run))??.entries.saturating_sub(*from);
        let what = format!("this permanently removes {} of run `{run}`", entries(removed));
        Ok(refuse_without_yes(what))
    }
}

fn entries(number: u64) -> String {
    count(number, "entry", "entries")
}
