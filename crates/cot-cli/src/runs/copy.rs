//! `cot runs copy`: copies runs from a store to another.

use std::{error::Error, time::SystemTime};

use annotate_snippets::Level;
use clap::Args;
use cot_model::{BlobSet, Digest};
use cot_store::{
    EntryHash, Lease, Record, RunFilter, RunId, RunOrder, RunSummary, SetAside, Status, Store,
    StoreError,
};

use super::{
    address::Address,
    store::wait,
    words::{STATUS_ONE, count},
};
use crate::{
    help, message, output,
    verdict::{Outcome, Verdict},
};

/// Copies runs from a store to another, such as from a SQLite file to a Postgres database.
///
/// A store is a SQLite file (`runs.db` or `sqlite:runs.db`) or the address of a Postgres database (`postgres://…`, with a
/// schema after `#` if it is not `cot`). The other store is created if it does not exist. A run that has not ended is
/// set aside in the first store, so that it has one driver: `cot runs retry` puts it back. What removed runs have spent is
/// not copied. The command may be repeated: runs that were copied are skipped.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot runs copy runs.db postgres://cot@127.0.0.1/app",
        "cot runs copy --run order-17 --run order-18 postgres://cot@127.0.0.1/app other.db",
    ],
    STATUS_ONE,
))]
pub(super) struct Copy {
    /// The store that has the runs.
    #[arg(value_name = "FROM")]
    from: Address,
    /// The store that gets them.
    #[arg(value_name = "TO")]
    to: Address,
    /// Copy this run only. May be repeated.
    #[arg(long = "run", value_name = "RUN")]
    runs: Vec<RunId>,
}

/// Why a run that was copied is set aside. A further copy does not take this over.
const COPIED: &str = "it was copied to another store";

/// What became of a run.
enum Copied {
    Done,
    /// The other store has it.
    Known,
    /// The other store has another run of the name, or a program drives this one.
    Refused(String),
}

impl Copy {
    pub(super) fn run(self) -> Outcome {
        let (from, to) = (self.from.open_writable()?, self.to.open_or_create()?);
        wait(async {
            let copied = self.copy(&*from, &*to).await;
            from.close().await;
            to.close().await;
            copied
        })?
    }

    async fn copy(&self, from: &dyn Store, to: &dyn Store) -> Outcome {
        for process in from.processes().await? {
            to.put_process(&process).await?;
        }
        let (mut done, mut known, mut refused) = (0, 0, 0);
        for run in self.names(from).await? {
            match copy_run(from, to, &run).await? {
                Copied::Done => done += 1,
                Copied::Known => known += 1,
                Copied::Refused(why) => {
                    message::print(Level::WARNING, format!("run {run} is not copied: {why}"));
                    refused += 1;
                }
            }
        }
        let mut line = format!("{} copied", count(done, "run", "runs"));
        if known > 0 {
            line.push_str(&format!(", {known} were there already"));
        }
        output::line(line)?;
        Ok(if refused > 0 { Verdict::Findings } else { Verdict::Fine })
    }

    /// Returns the names of the runs, in the order in which they were begun.
    async fn names(&self, from: &dyn Store) -> Result<Vec<RunId>, StoreError> {
        if !self.runs.is_empty() {
            return Ok(self.runs.clone());
        }
        let mut filter = RunFilter::default();
        filter.order = RunOrder::OldestFirst;
        Ok(from.runs(&filter).await?.into_iter().map(|run| run.run).collect())
    }
}

async fn copy_run(from: &dyn Store, to: &dyn Store, run: &RunId) -> Result<Copied, Box<dyn Error>> {
    let lease = match from.acquire(run).await {
        Ok(lease) => lease,
        Err(error @ StoreError::Leased { .. }) => return Ok(Copied::Refused(error.to_string())),
        Err(error) => return Err(error.into()),
    };
    let summary = super::store::require_run(from, run).await?;
    if let Some(there) = to.run(run).await? {
        let is_same = last_hash(from, &summary).await? == last_hash(to, &there).await?;
        let why = "the other store has another run of this name";
        return Ok(if is_same { Copied::Known } else { Copied::Refused(why.to_owned()) });
    }
    let mut records = Vec::new();
    for entry in from.entries(run, 0, usize::MAX).await? {
        records.push(with_blobs(from, run, entry.record).await?);
    }
    // Before the other store has it, so that it never has two drivers.
    if !summary.status.is_ended() && summary.set_aside.is_none() {
        from.set_aside(&lease, SetAside::new(COPIED, SystemTime::now())).await?;
    }
    let new = to.acquire(run).await?;
    to.append(&new, records).await?;
    copy_requests((from, to), &summary, new).await?;
    Ok(Copied::Done)
}

/// Returns the hash of the last entry.
async fn last_hash(store: &dyn Store, run: &RunSummary) -> Result<Option<EntryHash>, StoreError> {
    let last = store.entries(&run.run, run.entries.saturating_sub(1), 1).await?;
    Ok(last.last().and_then(|entry| entry.hash))
}

/// Adds the bytes of the images and documents of a record.
async fn with_blobs(
    store: &dyn Store,
    run: &RunId,
    mut record: Record,
) -> Result<Record, StoreError> {
    let blobs: &mut BlobSet = match &mut record {
        Record::Begun(begun) => &mut begun.blobs,
        Record::Step(step) => &mut step.blobs,
        Record::Submitted(_) | Record::Event(_) => return Ok(record),
    };
    let missing: Vec<Digest> = blobs.missing().collect();
    if !missing.is_empty() {
        blobs.merge(store.blobs(run, &missing).await?);
    }
    Ok(record)
}

/// Copies what no driver has taken: that the run is set aside, its answer, and the request to cancel it.
async fn copy_requests(
    (from, to): (&dyn Store, &dyn Store),
    summary: &RunSummary,
    lease: Lease,
) -> Result<(), StoreError> {
    if let Some(reason) = summary.set_aside.clone().filter(|reason| reason.why != COPIED) {
        to.set_aside(&lease, reason).await?;
    }
    if let (true, Status::Asking { key, .. }) = (summary.is_answered, &summary.status) {
        let answer = from.wait_for_answer(&summary.run, key).await?;
        to.put_answer(&summary.run, key, answer).await?;
    }
    if let Some(request) = &summary.cancel_requested {
        to.request_cancel(&summary.run, request.clone()).await?;
    }
    Ok(())
}
