//! A store, a worker that drives its runs, and the page over it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use cot_core::{Process, Runner, store::Store};
use cot_sqlite::SqliteStore;
use cot_web::{Access, Site};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};

use crate::processes::{Letter, Letters, Slow, Trip, TripState};

/// A store with a page and a worker.
pub struct World {
    store: SqliteStore,
    address: String,
    entrance: String,
    site: JoinHandle<()>,
    stop: Option<oneshot::Sender<()>>,
    worker: Option<JoinHandle<()>>,
    folder: TempDir,
}

/// The model of the world: letters in words, with a reply in between that does not match.
fn model(pause: Duration, letter: &'static str) -> Slow {
    let has_failed = AtomicBool::new(false);
    Slow::new(pause, move |request| {
        let is_ben = request.prompt().contains("a letter to Ben");
        let is_wrong = is_ben && !has_failed.swap(true, Ordering::Relaxed);
        let text = if is_wrong { "" } else { letter };
        json!({ "text": text }).to_string()
    })
}

impl World {
    /// Serves an empty store with a worker whose model pauses before each word of this letter.
    pub async fn new(pause: Duration, letter: &'static str) -> Self {
        Self::start(pause, letter, |site| site).await
    }

    /// Serves a store with a changed page.
    pub async fn start(
        pause: Duration,
        letter: &'static str,
        change: impl FnOnce(Site) -> Site,
    ) -> Self {
        let folder = TempDir::new().unwrap();
        let store = SqliteStore::open(folder.path().join("runs.sqlite")).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let listening = listener.local_addr().unwrap();
        let site = Site::new(Arc::new(store.clone())).access(Access::token());
        let site = site.evals(folder.path());
        let site = change(site.poll_every(Duration::from_millis(200)).store_name("runs.sqlite"));
        let entrance = site.address(listening);
        let served = tokio::spawn(async move {
            site.serve(listener, std::future::pending()).await;
        });
        let (stop, stopped) = oneshot::channel::<()>();
        let letters =
            Letters::runner().model(model(pause, letter)).store(store.clone()).drafts(true);
        let trips = Trip::runner().model(model(pause, letter)).store(store.clone()).drafts(true);
        let worker = letters.worker(store.clone()).serve(trips);
        let worker = worker.poll_interval(Duration::from_millis(50));
        let worker = tokio::spawn(async move {
            worker.run_until(async { drop(stopped.await) }).await.unwrap();
        });
        Self {
            store,
            address: format!("http://{listening}"),
            entrance,
            site: served,
            stop: Some(stop),
            worker: Some(worker),
            folder,
        }
    }

    /// Returns the address with the token.
    #[must_use]
    pub fn entrance(&self) -> &str {
        &self.entrance
    }

    /// Returns the address of a path.
    #[must_use]
    pub fn at(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// Returns the store.
    #[must_use]
    pub const fn store(&self) -> &SqliteStore {
        &self.store
    }

    /// Writes a report of an eval where the page finds it.
    pub fn write_report(&self, file: &str, report: &Value) {
        std::fs::write(self.folder.path().join(file), report.to_string()).unwrap();
    }

    /// Submits a letter.
    pub async fn submit_letter(&self, run: &str, to: &str) {
        let state = Letter { to: to.to_owned(), ..Letter::default() };
        self.submit(Letters::runner().store(self.store.clone()), run, state).await;
    }

    /// Submits a trip.
    pub async fn submit_trip(&self, run: &str, cities: &[&str]) {
        let state = TripState::new(cities.iter().map(|city| (*city).to_owned()).collect());
        self.submit(Trip::runner().store(self.store.clone()), run, state).await;
    }

    async fn submit<P: Process>(&self, runner: Runner<P>, run: &str, state: P::State) {
        runner.run_id(run).submit(&state).await.unwrap();
    }

    /// Waits until a run has a status.
    pub async fn until(&self, run: &str, status: &str) {
        let run = run.parse().unwrap();
        for _ in 0..400 {
            let summary = self.store.run(&run).await.unwrap();
            if summary.is_some_and(|run| run.status.word() == status) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{run} is not {status}: {:?}", self.store.run(&run).await.unwrap());
    }

    /// Stops the worker at the next durable point.
    pub async fn stop_worker(&mut self) {
        drop(self.stop.take());
        if let Some(worker) = self.worker.take() {
            worker.await.unwrap();
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.site.abort();
        if let Some(worker) = &self.worker {
            worker.abort();
        }
    }
}
