//! `cot runs prune`: removes old runs.

use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use cot_store::RunFilter;
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

/// Removes ended runs whose last entry is old.
///
/// Runs that have not ended are kept.
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
    /// The minimal age of the last entry, such as `30d`, `12h` or `1h 30m`.
    #[arg(long, value_name = "TIME")]
    older_than: humantime::Duration,
    /// List the runs that would be removed, and change nothing.
    #[arg(long, conflicts_with = "vacuum")]
    dry_run: bool,
    /// Then shrink the file to its minimal size; this blocks all writers.
    #[arg(long)]
    vacuum: bool,
    /// Print JSON: `{"forgotten":N}`, or with `--dry-run` an object for each run.
    #[arg(long)]
    json: bool,
}

impl Prune {
    pub(super) fn run(self) -> Outcome {
        // A store has no entries from before 1970.
        let before = SystemTime::now().checked_sub(*self.older_than).unwrap_or(UNIX_EPOCH);
        if self.dry_run { self.list_old(before) } else { self.remove_old(before) }
    }

    fn list_old(&self, before: SystemTime) -> Outcome {
        let mut filter = RunFilter::default();
        filter.is_ended = Some(true);
        filter.updated_before = Some(before);
        let store = self.store.open_read_only()?;
        let mut runs = wait(store.runs(&filter))??;
        runs.retain(|run| !run.is_driven);
        list::print(&runs, self.json)?;
        Ok(Verdict::Fine)
    }

    fn remove_old(&self, before: SystemTime) -> Outcome {
        let store = self.store.open_writable()?;
        let removed = wait(store.prune(before))??;
        if self.vacuum {
            wait(store.vacuum())??;
        }
        if self.json {
            output::json(&json!({ "forgotten": removed }))?;
        } else {
            output::line(format!("{} removed", words::count(removed, "run", "runs")))?;
        }
        Ok(Verdict::Fine)
    }
}
