//! `cot runs remove`: forgets a run.

use clap::Args;
use cot_core::store::{RunId, Store};

use super::{
    advice::refuse_without_yes,
    store::{StoreFile, known, wait},
    words::{ONE, count},
};
use crate::{
    help, output,
    verdict::{Outcome, Verdict},
};

/// Forgets a run with all that it was told, for one that will never go on.
///
/// Runs that are over and old are better forgotten by `cot runs prune`.
#[derive(Debug, Args)]
#[command(after_help = help::after(&["cot runs remove order-17 --yes --store runs.db"], ONE))]
pub(super) struct Remove {
    #[command(flatten)]
    store: StoreFile,
    /// The run.
    #[arg(value_name = "RUN")]
    run: RunId,
    /// Really forget it; without it, only what would be forgotten is said.
    #[arg(long)]
    yes: bool,
}

impl Remove {
    pub(super) fn run(self) -> Outcome {
        let run = &self.run;
        if self.yes {
            let store = self.store.change()?;
            wait(store.remove(run))??;
            output::line(format!("run {run} forgotten"))?;
            return Ok(Verdict::Fine);
        }
        let store = self.store.look()?;
        let entries = count(wait(known(&store, run))??.entries, "entry", "entries");
        let what = format!("this forgets run `{run}` and its {entries} for good");
        Ok(refuse_without_yes(what))
    }
}
