//! Asks the store what has changed, while a page listens.

use std::collections::HashMap;

use cot_store::{RunFilter, RunId, RunOrder, RunSummary, StatusKind, Store, StoreError};
use serde_json::json;
use tokio::{sync::watch, time::sleep};

use super::topics::{News, Topic};
use crate::{error::PageError, state::AppState};

/// The number of runs that are compared to notice changes of the table: those that have changed last, and those
/// that wait for people.
const COMPARED: usize = 30;

/// Adds a page that listens to a topic. The first one starts the poller, which ends with the last one.
pub(crate) fn listen(state: &AppState, topic: Topic) -> watch::Receiver<News> {
    let (news, is_first) = state.live().topics.listen(topic);
    if is_first {
        tokio::spawn(supervise(state.clone()));
    }
    news
}

/// What the poller knows of the store.
#[derive(Default)]
struct Known {
    table: Option<Vec<RunSummary>>,
    runs: HashMap<RunId, Option<RunSummary>>,
}

/// What the poller found out about a topic.
struct Found {
    changed: bool,
    drafts: Vec<(String, String)>,
}

/// Polls until no page listens. A store that panics delays the news and does not end them.
async fn supervise(state: AppState) {
    let period = state.live().period;
    while tokio::spawn(poll(state.clone())).await.is_err_and(|error| error.is_panic()) {
        sleep(period).await;
    }
}

async fn poll(state: AppState) {
    let (live, mut known) = (state.live(), Known::default());
    let mut closing = live.closing();
    while let topics = live.topics.current()
        && !topics.is_empty()
        && !*closing.borrow()
    {
        known.runs.retain(|run, _| topics.contains(&Topic::Run(run.clone())));
        for topic in &topics {
            let found = match topic {
                Topic::Table => known.look_at_table(state.store()).await,
                Topic::Run(run) => known.look_at_run(state.store(), run).await,
            };
            live.topics.publish(topic, |news| news.update(found));
        }
        tokio::select! {
            () = sleep(live.period) => {}
            _ = closing.changed() => return,
        }
    }
}

impl News {
    fn update(&mut self, found: Result<Found, StoreError>) {
        match found {
            Ok(Found { changed, drafts }) => {
                // A page that could not be loaded is loaded again.
                let has_recovered = self.trouble.take().is_some();
                self.changes += u64::from(changed || has_recovered);
                self.drafts = drafts;
            }
            Err(error) => self.trouble = Some(PageError::from(error).line()),
        }
    }
}

impl Known {
    async fn look_at_table(&mut self, store: &dyn Store) -> Result<Found, StoreError> {
        let mut recent = RunFilter::default();
        recent.order = RunOrder::RecentlyUpdated;
        recent.limit = Some(COMPARED);
        let mut asking = RunFilter::default();
        asking.status = vec![StatusKind::Asking];
        asking.limit = Some(COMPARED);
        let mut runs = store.runs(&recent).await?;
        runs.extend(store.runs(&asking).await?);
        let changed = self.table.as_ref().is_some_and(|known| *known != runs);
        self.table = Some(runs);
        Ok(Found { changed, drafts: Vec::new() })
    }

    async fn look_at_run(&mut self, store: &dyn Store, run: &RunId) -> Result<Found, StoreError> {
        let summary = store.run(run).await?;
        let is_active = summary.as_ref().is_some_and(|summary| !summary.status.is_ended());
        let drafts = if is_active { store.drafts(run).await? } else { Vec::new() };
        let drafts = drafts.into_iter().map(|draft| {
            let about = json!({ "key": draft.key, "text": draft.text, "thought": draft.thought });
            (draft.key.to_string(), about.to_string())
        });
        let known = self.runs.insert(run.clone(), summary.clone());
        let changed = known.is_some_and(|known| known != summary);
        Ok(Found { changed, drafts: drafts.collect() })
    }
}
