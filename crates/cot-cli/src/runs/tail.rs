//! `cot runs tail`: the last entries of a journal, and those that come.

use std::{error::Error, thread, time::Duration};

use clap::Args;
use cot_core::store::{Entry, Record, RunId, Status, Store, StoreError};
use cot_sqlite::SqliteStore;
use serde::Serialize;

use super::{
    entry,
    store::{StoreFile, known, wait},
    words::ONE,
};
use crate::{
    help, output,
    verdict::{Outcome, Verdict},
};

/// How many entries are read at a time.
const PAGE: usize = 100;
/// How often the store is asked for new entries.
const PERIOD: Duration = Duration::from_millis(200);

/// Prints the last entries of the journal of a run, and with `--follow` those that come until it is over.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot runs tail order-17 --follow --store runs.db",
        "cot runs tail order-17 --lines 1000 --json --store runs.db | jq -c .event",
    ],
    ONE,
))]
pub(super) struct Tail {
    #[command(flatten)]
    store: StoreFile,
    /// The run.
    #[arg(value_name = "RUN")]
    run: RunId,
    /// How many of the entries that are there to print.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    lines: u64,
    /// Go on until the run is over.
    #[arg(short, long)]
    follow: bool,
    /// Print one JSON object for each entry.
    #[arg(long)]
    json: bool,
}

impl Tail {
    pub(super) fn run(self) -> Outcome {
        let store = self.store.look()?;
        let run = wait(known(&store, &self.run))??;
        let mut next = run.entries.saturating_sub(self.lines);
        let mut is_over = run.status.is_ended();
        loop {
            let page = wait(page(&store, &self.run, next))??;
            if page.is_empty() {
                if is_over || !self.follow {
                    return Ok(Verdict::Fine);
                }
                thread::sleep(PERIOD);
            }
            for entry in page {
                if !output::is_read(&self.line(&entry)?)? {
                    return Ok(Verdict::Fine);
                }
                next = entry.number + 1;
                is_over = entry.record.status().map_or(is_over, Status::is_ended);
            }
        }
    }

    fn line(&self, entry: &Entry) -> Result<String, Box<dyn Error>> {
        let mut line = if self.json {
            output::to_json(&Numbered { number: entry.number, record: &entry.record })?
        } else {
            entry::line(entry)
        };
        line.push('\n');
        Ok(line)
    }
}

/// An entry as JSON.
#[derive(Serialize)]
struct Numbered<'a> {
    number: u64,
    #[serde(flatten)]
    record: &'a Record,
}

/// The next entries. One that does not read is no error before it is reached.
async fn page(store: &SqliteStore, run: &RunId, from: u64) -> Result<Vec<Entry>, StoreError> {
    match store.entries(run, from, PAGE).await {
        Err(StoreError::Corrupt { entry, .. }) if entry > from => {
            let readable = usize::try_from(entry - from).unwrap_or(PAGE);
            store.entries(run, from, readable).await
        }
        page => page,
    }
}
