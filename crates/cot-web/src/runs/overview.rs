//! What all pages of the table share: how many runs there are of each kind, and the names of processes.

use std::{
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, SystemTime},
};

use cot_store::{RunFilter, Store, StoreError};
use tokio::sync::Mutex;

use super::query::Group;

/// How long the numbers are good for. Many pages are open at once, and all of them ask after each change.
const FRESH: Duration = Duration::from_secs(2);

/// The numbers of runs, and the names of processes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Overview {
    /// The number of runs of each group, in the order of [`Group::ALL`].
    pub(crate) counts: Vec<(Group, u64)>,
    /// The processes whose descriptions the store has.
    pub(crate) processes: BTreeSet<String>,
}

/// The last overview, and when it was made.
#[derive(Default)]
pub(crate) struct OverviewCache(Mutex<Option<(SystemTime, Arc<Overview>)>>);

impl OverviewCache {
    /// Returns the overview, which is at most two seconds old. Requests that arrive while it is made wait for it.
    pub(crate) async fn read(
        &self,
        store: &dyn Store,
        now: SystemTime,
    ) -> Result<Arc<Overview>, StoreError> {
        let mut last = self.0.lock().await;
        if let Some((made, overview)) = &*last
            && now.duration_since(*made).unwrap_or_default() < FRESH
        {
            return Ok(Arc::clone(overview));
        }
        let mut overview = Overview::default();
        for group in Group::ALL {
            let mut filter = RunFilter::default();
            group.restrict(&mut filter);
            overview.counts.push((group, store.count(&filter).await?));
        }
        let processes = store.processes().await?;
        overview.processes.extend(processes.into_iter().map(|process| process.name));
        let overview = Arc::new(overview);
        *last = Some((now, Arc::clone(&overview)));
        Ok(overview)
    }
}

impl Overview {
    /// Returns the number of runs of a group.
    pub(crate) fn count(&self, group: Group) -> u64 {
        self.counts.iter().find(|(counted, _)| *counted == group).map_or(0, |(_, count)| *count)
    }
}
