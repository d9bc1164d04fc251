//! `cot runs tail`: prints the last entries of a journal, and new ones.

use std::{error::Error, thread, time::Duration};

use clap::Args;
use cot_store::{Entry, EntryHash, Record, RunId, Status, Store, StoreError};
use serde::Serialize;

use super::{
    entry,
    store::{StoreFile, require_run, wait},
    words::STATUS_ONE,
};
use crate::{
    help, output,
    verdict::{Outcome, Verdict},
};

/// The number of entries that are read at a time.
const PAGE: usize = 100;
/// The polling period for new entries.
const PERIOD: Duration = Duration::from_millis(200);

/// Prints the last entries of a run's journal, and with `--follow` new ones until the run ends.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot runs tail order-17 --follow --store runs.db",
        "cot runs tail order-17 --lines 1000 --json --store runs.db | jq -c .event",
    ],
    STATUS_ONE,
))]
pub(super) struct Tail {
    #[command(flatten)]
    store: StoreFile,
    /// The run.
    #[arg(value_name = "RUN")]
    run: RunId,
    /// The number of existing entries to print.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    lines: u64,
    /// Print new entries until the run ends.
    #[arg(short, long)]
    follow: bool,
    /// Print one JSON object for each entry.
    #[arg(long)]
    json: bool,
}

impl Tail {
    pub(super) fn run(self) -> Outcome {
        let store = self.store.open_read_only()?;
        let run = wait(require_run(&*store, &self.run))??;
        let mut next = run.entries.saturating_sub(self.lines);
        let mut is_over = run.status.is_ended();
        loop {
            let page = wait(page(&*store, &self.run, next))??;
            if page.is_empty() {
                if is_over || !self.follow {
                    return Ok(Verdict::Fine);
                }
                thread::sleep(PERIOD);
            }
            for entry in page {
                if !output::try_print(&self.line(&entry)?)? {
                    return Ok(Verdict::Fine);
                }
                next = entry.number + 1;
                is_over = entry.record.status().map_or(is_over, Status::is_ended);
            }
        }
    }

    fn line(&self, entry: &Entry) -> Result<String, Box<dyn Error>> {
        let mut line = if self.json {
            let Entry { number, hash, ref record } = *entry;
            output::to_json(&NumberedEntry { number, hash, record })?
        } else {
            entry::line(entry)
        };
        line.push('\n');
        Ok(line)
    }
}

/// The JSON form of an entry.
#[derive(Serialize)]
struct NumberedEntry<'a> {
    number: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<EntryHash>,
    #[serde(flatten)]
    record: &'a Record,
}

/// Reads the next entries. An unreadable entry is reported only when it is the first one.
async fn page(store: &dyn Store, run: &RunId, from: u64) -> Result<Vec<Entry>, StoreError> {
    match store.entries(run, from, PAGE).await {
        Err(StoreError::Corrupt { entry, .. }) if entry > from => {
            let readable = usize::try_from(entry - from).unwrap_or(PAGE);
            store.entries(run, from, readable).await
        }
        page => page,
    }
}
