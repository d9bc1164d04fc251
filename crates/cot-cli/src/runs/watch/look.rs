//! The runs that are watched, as they are at a time.

use std::collections::BTreeMap;

use cot_store::{Draft, EndKind, RunFilter, RunId, RunSummary, Status, Store, StoreError};

use super::doing::Doing;

/// The number of runs that are watched, if none is named.
const MAX_RUNS: usize = 500;

/// Which runs are watched.
pub(super) struct Selection {
    /// The named runs; empty for all that have not ended.
    pub(super) runs: Vec<RunId>,
    /// Only runs of this process.
    pub(super) process: Option<String>,
}

/// A run at a time.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) summary: RunSummary,
    pub(super) doing: Doing,
    pub(super) drafts: Vec<Draft>,
}

/// The watched runs at a time.
pub(super) struct Look {
    pub(super) rows: Vec<Row>,
    /// The number of further runs that have not ended and are not watched.
    pub(super) unwatched: u64,
}

/// The watched runs, looked at again and again.
pub(super) struct Looker {
    selection: Selection,
    known: BTreeMap<RunId, Doing>,
}

impl Looker {
    pub(super) const fn new(selection: Selection) -> Self {
        Self { selection, known: BTreeMap::new() }
    }

    /// Looks at the runs. A run that ended since the last time is among them once more.
    pub(super) async fn look(&mut self, store: &dyn Store) -> Result<Look, StoreError> {
        let mut rows = Vec::new();
        let (summaries, unwatched) = self.summaries(store).await?;
        for summary in summaries {
            let doing = self.known.get(&summary.run).cloned();
            let mut doing = doing.unwrap_or_else(|| Doing::new(&summary));
            let is_running = matches!(summary.status, Status::Running { .. });
            let drafts = if is_running { store.drafts(&summary.run).await? } else { Vec::new() };
            match doing.read(store, &summary).await {
                // Removed meanwhile.
                Err(StoreError::UnknownRun { .. }) => continue,
                read => read?,
            }
            rows.push(Row { summary, doing, drafts });
        }
        let live = rows.iter().filter(|row| !row.summary.status.is_ended());
        self.known = live.map(|row| (row.summary.run.clone(), row.doing.clone())).collect();
        Ok(Look { rows, unwatched })
    }

    /// Returns the watched runs, and the number of those that have not ended and are not watched.
    async fn summaries(&self, store: &dyn Store) -> Result<(Vec<RunSummary>, u64), StoreError> {
        let mut runs = Vec::new();
        if !self.selection.runs.is_empty() {
            for run in &self.selection.runs {
                let unknown = || StoreError::UnknownRun { run: run.clone() };
                runs.push(store.run(run).await?.ok_or_else(unknown)?);
            }
            return Ok((runs, 0));
        }
        let mut filter = RunFilter::default();
        filter.process.clone_from(&self.selection.process);
        (filter.is_ended, filter.limit) = (Some(false), Some(MAX_RUNS));
        runs = store.runs(&filter).await?;
        let mut unwatched = 0;
        if runs.len() == MAX_RUNS {
            unwatched = store.count(&filter).await?.saturating_sub(MAX_RUNS as u64);
        }
        for run in self.known.keys() {
            if !runs.iter().any(|known| known.run == *run) {
                runs.extend(store.run(run).await?);
            }
        }
        Ok((runs, unwatched))
    }

    pub(super) fn has_names(&self) -> bool {
        !self.selection.runs.is_empty()
    }
}

impl Row {
    pub(super) const fn is_ended(&self) -> bool {
        self.summary.status.is_ended()
    }

    /// Returns whether the run ended without success.
    pub(super) const fn has_failed(&self) -> bool {
        matches!(&self.summary.status, Status::Ended { how, .. }
            if !matches!(how, EndKind::End | EndKind::RanOut))
    }

    /// Returns whether more has changed than the text that is being received.
    pub(super) fn differs(&self, other: &Self) -> bool {
        self.summary != other.summary || self.doing != other.doing
    }
}
