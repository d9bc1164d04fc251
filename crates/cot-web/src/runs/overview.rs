//! What all pages of the table share: how many runs there are of each kind, and the names of processes.

use std::{
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, SystemTime},
};

use cot_store::{RunFilter, RunOrder, RunSummary, Store, StoreError};
use tokio::sync::Mutex;

use super::query::Group;

/// How long the numbers are good for, unless a run changes. Many pages are open at once, and all of them ask after each change.
const FRESH: Duration = Duration::from_secs(2);

/// The numbers of runs, and the names of processes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Overview {
    /// The number of runs of each group, in the order of [`Group::ALL`].
    pub(crate) counts: Vec<(Group, u64)>,
    /// The processes whose descriptions the store has.
    pub(crate) processes: BTreeSet<String>,
}

/// The last overview.
#[derive(Default)]
pub(crate) struct OverviewCache(Mutex<Option<CachedOverview>>);

struct CachedOverview {
    made: SystemTime,
    /// The run that had changed last.
    newest: Option<RunSummary>,
    overview: Arc<Overview>,
}

impl OverviewCache {
    /// Returns the overview after the last change of a run. It can have runs that were removed within two seconds. Requests that
    /// arrive while it is made wait for it.
    pub(crate) async fn read(
        &self,
        store: &dyn Store,
        now: SystemTime,
    ) -> Result<Arc<Overview>, StoreError> {
        let mut last = self.0.lock().await;
        let newest = newest(store).await?;
        if let Some(CachedOverview { made, newest: known, overview }) = &*last
            && now.duration_since(*made).unwrap_or_default() < FRESH
            && *known == newest
        {
            return Ok(Arc::clone(overview));
        }
        let overview = Arc::new(Overview::read(store).await?);
        *last = Some(CachedOverview { made: now, newest, overview: Arc::clone(&overview) });
        Ok(overview)
    }
}

async fn newest(store: &dyn Store) -> Result<Option<RunSummary>, StoreError> {
    let mut filter = RunFilter::default();
    filter.order = RunOrder::RecentlyUpdated;
    filter.limit = Some(1);
    Ok(store.runs(&filter).await?.pop())
}

impl Overview {
    async fn read(store: &dyn Store) -> Result<Self, StoreError> {
        let mut overview = Self::default();
        for group in Group::ALL {
            let mut filter = RunFilter::default();
            group.restrict(&mut filter);
            overview.counts.push((group, store.count(&filter).await?));
        }
        let processes = store.processes().await?;
        overview.processes.extend(processes.into_iter().map(|process| process.name));
        Ok(overview)
    }

    /// Returns the number of runs of a group.
    pub(crate) fn count(&self, group: Group) -> u64 {
        self.counts.iter().find(|(counted, _)| *counted == group).map_or(0, |(_, count)| *count)
    }
}
