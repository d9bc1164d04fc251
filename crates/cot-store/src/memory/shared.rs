//! What the clones of a store in memory share: the runs, what they have spent, and the processes.

use std::{collections::BTreeMap, sync::Arc, time::SystemTime};

use tokio::sync::Notify;

use super::journal::MemoryJournal;
use crate::{
    draft::Draft,
    due::{DueFilter, DueRun},
    error::StoreError,
    filter::RunFilter,
    lease::Lease,
    process::ProcessDescription,
    record::Record,
    run_id::RunId,
    spending::Spending,
    submission::Submission,
    summary::{RunSummary, SetAside},
};

#[derive(Default)]
pub(super) struct Shared {
    pub(super) slots: BTreeMap<RunId, RunSlot>,
    /// The number of the last lease or journal, so that each gets a unique number.
    pub(super) counter: u64,
    /// What the runs have spent, sorted.
    pub(super) spending: Vec<Spending>,
    pub(super) processes: BTreeMap<String, ProcessDescription>,
}

/// The data of one run. It may be leased, or waited for, before its journal exists.
#[derive(Default)]
pub(super) struct RunSlot {
    pub(super) journal: Option<MemoryJournal>,
    /// The epoch of the current lease.
    pub(super) lease_epoch: Option<u64>,
    /// Notified when an answer or a request to cancel is stored.
    pub(super) notify: Arc<Notify>,
}

impl Shared {
    pub(super) fn next_number(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    pub(super) fn journal(&self, run: &RunId) -> Result<&MemoryJournal, StoreError> {
        let journal = self.slots.get(run).and_then(|slot| slot.journal.as_ref());
        journal.ok_or_else(|| StoreError::UnknownRun { run: run.clone() })
    }

    pub(super) fn journal_mut(&mut self, run: &RunId) -> Result<&mut MemoryJournal, StoreError> {
        let journal = self.slots.get_mut(run).and_then(|slot| slot.journal.as_mut());
        journal.ok_or_else(|| StoreError::UnknownRun { run: run.clone() })
    }

    pub(super) fn set_aside(&mut self, lease: &Lease, reason: SetAside) -> Result<(), StoreError> {
        self.leased_journal(lease)?.summary.set_aside = Some(reason);
        Ok(())
    }

    /// Returns the journal of a run whose lease is still held.
    fn leased_journal(&mut self, lease: &Lease) -> Result<&mut MemoryJournal, StoreError> {
        let run = lease.run();
        if self.slots.get(run).is_none_or(|slot| slot.lease_epoch != Some(lease.epoch())) {
            return Err(StoreError::LeaseLost { run: run.clone() });
        }
        self.journal_mut(run)
    }

    pub(super) fn put_draft(&mut self, lease: &Lease, draft: Draft) -> Result<(), StoreError> {
        self.leased_journal(lease)?.put_draft(draft);
        Ok(())
    }

    /// Releases a run, if the lease with this epoch is its last one.
    pub(super) fn release(&mut self, run: &RunId, epoch: u64) {
        let Some(slot) = self.slots.get_mut(run) else { return };
        if slot.lease_epoch.take_if(|last| *last == epoch).is_some()
            && let Some(journal) = &mut slot.journal
        {
            journal.drafts.clear();
        }
    }

    /// Returns what wakes the callers that wait for something to be stored for a run.
    pub(super) fn notify(&mut self, run: &RunId) -> Arc<Notify> {
        Arc::clone(&self.slots.entry(run.clone()).or_default().notify)
    }

    /// Lists the runs that a filter matches, whatever its offset and limit.
    pub(super) fn runs(&self, filter: &RunFilter) -> Vec<RunSummary> {
        let slots = self.slots.values();
        let runs = slots.filter_map(|slot| Some((slot.journal.as_ref()?.number, slot.summary()?)));
        let mut runs: Vec<_> = runs.filter(|(_, run)| filter.matches(run)).collect();
        runs.sort_by(|(number, run), (other_number, other)| {
            filter.order.compare(run, other, number > other_number)
        });
        runs.into_iter().map(|(_, run)| run).collect()
    }

    pub(super) fn submit(&mut self, submission: Submission) -> Result<RunId, StoreError> {
        let number = self.next_number();
        let (run, record) = submission.into_record();
        let slot = self.slots.entry(run.clone()).or_default();
        // A driver that holds the lease is about to begin a run of this name.
        if slot.journal.is_some() || slot.lease_epoch.is_some() {
            return Err(StoreError::RunExists { run });
        }
        let summary = RunSummary::from_record(&run, &record)?;
        slot.journal = Some(MemoryJournal::new(number, summary, record));
        Ok(run)
    }

    pub(super) fn append(&mut self, lease: &Lease, records: Vec<Record>) -> Result<(), StoreError> {
        let number = self.next_number();
        let slot = self.slots.get_mut(lease.run());
        let slot = slot.filter(|slot| slot.lease_epoch == Some(lease.epoch()));
        let Some(slot) = slot else {
            return Err(StoreError::LeaseLost { run: lease.run().clone() });
        };
        let mut records = records.into_iter().map(Record::with_rounded_times);
        if let Some(journal) = &mut slot.journal {
            return journal.append(records.collect(), &mut self.spending);
        }
        if let Some(first) = records.next() {
            let summary = RunSummary::from_record(lease.run(), &first)?;
            let mut journal = MemoryJournal::new(number, summary, first);
            journal.append(records.collect(), &mut self.spending)?;
            slot.journal = Some(journal);
        }
        Ok(())
    }
}

impl RunSlot {
    pub(super) fn summary(&self) -> Option<RunSummary> {
        let summary = self.journal.as_ref()?.summary();
        Some(RunSummary { is_driven: self.lease_epoch.is_some(), ..summary })
    }

    /// Returns the run with the time since when it is due, if it is and a filter matches it.
    pub(super) fn due(&self, filter: &DueFilter) -> Option<(SystemTime, DueRun)> {
        let journal = self.journal.as_ref().filter(|_| self.lease_epoch.is_none())?;
        let since = journal.summary().due_at().filter(|due| *due <= filter.now)?;
        let RunSummary { run, process, entries, .. } = &journal.summary;
        let run = DueRun::new(run.clone(), process.clone(), *entries, 0);
        (filter.processes.contains(process) && filter.matches(&run)).then_some((since, run))
    }
}
