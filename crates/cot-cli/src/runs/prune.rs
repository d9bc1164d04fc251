//! `cot runs prune`: forgets old runs.

use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use cot_core::store::{RunFilter, Store};
use serde_json::json;

use super::{
    list,
    store::{StoreFile, wait},
    words,
};
use crate::{
    help, output,
    verdict::{Outcome, Verdict},
};

/// Forgets runs that are over and got their last entry long ago.
///
/// Runs that are not over are kept, however old they are.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot runs prune --store runs.db --older-than 30d --dry-run",
        "cot runs prune --store runs.db --older-than '12h 30m' --vacuum",
    ],
    "",
))]
pub(super) struct Prune {
    #[command(flatten)]
    store: StoreFile,
    /// How long ago the last entry is, such as `30d`, `12h` or `1h 30m`.
    #[arg(long, value_name = "TIME")]
    older_than: humantime::Duration,
    /// List the runs that would be forgotten, and change nothing.
    #[arg(long, conflicts_with = "vacuum")]
    dry_run: bool,
    /// Make the file as small as it can be afterwards; nothing can be written to it meanwhile.
    #[arg(long)]
    vacuum: bool,
    /// Print JSON: `{"forgotten":N}`, or with `--dry-run` an object for each run.
    #[arg(long)]
    json: bool,
}

impl Prune {
    pub(super) fn run(self) -> Outcome {
        // There is nothing before 1970 in a store.
        let before = SystemTime::now().checked_sub(*self.older_than).unwrap_or(UNIX_EPOCH);
        if self.dry_run { self.look(before) } else { self.forget(before) }
    }

    fn look(&self, before: SystemTime) -> Outcome {
        let mut filter = RunFilter::default();
        filter.is_ended = Some(true);
        filter.updated_before = Some(before);
        let store = self.store.look()?;
        let mut runs = wait(store.runs(&filter))??;
        runs.retain(|run| !run.is_driven);
        list::print(&runs, self.json)?;
        Ok(Verdict::Fine)
    }

    fn forget(&self, before: SystemTime) -> Outcome {
        let store = self.store.change()?;
        let forgotten = wait(store.prune(before))??;
        if self.vacuum {
            wait(store.vacuum())??;
        }
        if self.json {
            output::json(&json!({ "forgotten": forgotten }))?;
        } else {
            output::line(format!("{} forgotten", words::count(forgotten, "run", "runs")))?;
        }
        Ok(Verdict::Fine)
    }
}
