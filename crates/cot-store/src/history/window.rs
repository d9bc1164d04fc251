//! A part of the history of a run.

use std::ops::RangeInclusive;

use super::{step::StepHistory, tree::RunTree};
use crate::{
    error::StoreError,
    journal::journal::read_page,
    record::{Entry, Record},
    run_id::RunId,
    store::Store,
};

/// Some consecutive steps of a run, read without the entries of all others.
#[derive(Debug)]
#[non_exhaustive]
pub struct HistoryWindow {
    /// The steps in the window. One that began before the window is missing; of a step at its end, what happened
    /// much later may be.
    pub steps: Vec<StepHistory>,
    /// Why entries in the window could not be read; the steps before them are there.
    pub error: Option<StoreError>,
}

impl HistoryWindow {
    /// Reads the steps with these numbers, of a run that has begun. The time does not depend on the length of the
    /// journal, but for its logarithm.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownRun`]; other errors when the store can't be read. An entry that can't be parsed is an
    /// [`error`](Self::error) of the window.
    pub async fn load(
        store: &dyn Store,
        run: &RunId,
        steps: RangeInclusive<u64>,
    ) -> Result<Self, StoreError> {
        let Some(summary) = store.run(run).await? else {
            return Err(StoreError::UnknownRun { run: run.clone() });
        };
        let journal = JournalReader { store, run, entries: summary.entries };
        let mut error = None;
        let start = match journal.end_of_steps_before(*steps.start()).await {
            Ok(start) => start,
            Err(why) => {
                error = Some(why);
                0
            }
        };
        let mut tree = RunTree::default();
        if let Err(why) = journal.add_steps(&mut tree, start, *steps.end()).await {
            error.get_or_insert(why);
        }
        let mut found = tree.into_steps();
        found.retain(|step| steps.contains(&step.step));
        Ok(Self { steps: found, error })
    }
}

/// The maximum number of entries after a window that are read for the ends of its steps.
const MAX_AFTER: u64 = 256;

struct JournalReader<'a> {
    store: &'a dyn Store,
    run: &'a RunId,
    /// The number of entries of the journal.
    entries: u64,
}

impl JournalReader<'_> {
    /// Returns the number of the entry after the last position with fewer steps than `first`; 0 if there is none.
    async fn end_of_steps_before(&self, first: u64) -> Result<u64, StoreError> {
        // The positions before `low` have fewer steps, and those from `high` on do not.
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.position_from(middle, high).await? {
                Some((number, steps)) if steps < first => low = number + 1,
                _ => high = middle,
            }
        }
        Ok(low)
    }

    /// Returns the first position among these entries, with its number of steps.
    async fn position_from(&self, from: u64, to: u64) -> Result<Option<(u64, u64)>, StoreError> {
        let (mut at, mut limit) = (from, 1);
        while at < to {
            let page = self.store.entries(self.run, at, limit).await?;
            if page.is_empty() {
                return Ok(None);
            }
            for Entry { number, record, .. } in page {
                match record {
                    _ if number >= to => return Ok(None),
                    Record::Begun(begun) => {
                        return Ok(Some((number, begun.origin.map_or(0, |origin| origin.steps))));
                    }
                    Record::Step(step) => return Ok(Some((number, step.steps))),
                    Record::Submitted(_) | Record::Event(_) => at = number + 1,
                }
            }
            limit = 8;
        }
        Ok(None)
    }

    /// Adds the entries from a number on, up to the end of the steps until `last`.
    async fn add_steps(
        &self,
        tree: &mut RunTree,
        mut next: u64,
        last: u64,
    ) -> Result<(), StoreError> {
        let mut after_end = 0;
        loop {
            let page = read_page(self.store, self.run, next).await?;
            let Some(end) = page.last() else { return Ok(()) };
            next = end.number + 1;
            for entry in page {
                let is_after = after_end > 0
                    || matches!(&entry.record, Record::Step(step) if step.steps > last);
                tree.add_entry(entry);
                after_end += u64::from(is_after);
                if after_end > 0 && (!tree.has_open_before(last) || after_end > MAX_AFTER) {
                    return Ok(());
                }
            }
        }
    }
}
