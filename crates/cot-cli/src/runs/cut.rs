//! `cot runs cut`: drops the end of a journal that does not read.

use clap::Args;
use cot_core::store::RunId;

use super::{
    advice::refuse_without_yes,
    store::{StoreFile, known, wait},
    words::{ONE, count},
};
use crate::{
    help, output,
    verdict::{Outcome, Verdict},
};

/// Drops the entries of a run from a number on, for a journal whose end does not read.
///
/// The run goes on from what is left; what was asked in the entries that are gone is asked again.
#[derive(Debug, Args)]
#[command(after_help = help::after(&["cot runs cut order-17 --from 12 --yes --store runs.db"], ONE))]
pub(super) struct Cut {
    #[command(flatten)]
    store: StoreFile,
    /// The run.
    #[arg(value_name = "RUN")]
    run: RunId,
    /// The number of the first entry to drop.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    from: u64,
    /// Really drop them; without it, only what would be dropped is said.
    #[arg(long)]
    yes: bool,
}

impl Cut {
    pub(super) fn run(self) -> Outcome {
        let Self { run, from, .. } = &self;
        if self.yes {
            let store = self.store.change()?;
            let dropped = wait(store.cut(run, *from))??;
            output::line(format!("{} of run {run} dropped", entries(dropped)))?;
            return Ok(Verdict::Fine);
        }
        let store = self.store.look()?;
        let dropped = wait(known(&store, run))??.entries.saturating_sub(*from);
        let what = format!("this drops {} of run `{run}` for good", entries(dropped));
        Ok(refuse_without_yes(what))
    }
}

fn entries(number: u64) -> String {
    count(number, "entry", "entries")
}
