//! The calls of this program that wait for something in the database.

use std::{
    collections::HashMap,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use cot_store::{RunId, StoreError};
use tokio::sync::Notify;

/// The calls that wait, by run, and those that wait for due runs.
#[derive(Debug, Default)]
pub(crate) struct Waiters {
    runs: Mutex<HashMap<RunId, Waiting>>,
    pub(crate) due: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    notify: Arc<Notify>,
    count: usize,
}

impl Waiters {
    /// Wakes the calls that wait for a run.
    pub(crate) fn wake(&self, run: &str) {
        let Ok(run) = run.parse::<RunId>() else { return };
        let notify = self.lock().get(&run).map(|waiting| Arc::clone(&waiting.notify));
        if let Some(notify) = notify {
            notify.notify_waiters();
        }
    }

    /// Returns the runs that calls wait for.
    pub(crate) fn runs(&self) -> Vec<String> {
        self.lock().keys().map(|run| run.as_str().to_owned()).collect()
    }

    /// Waits until something is found for a run.
    pub(crate) async fn wait_for<T, F>(
        &self,
        run: &RunId,
        find: impl Fn() -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<Option<T>, StoreError>>,
    {
        let registered = Registered::new(self, run);
        loop {
            let mut notified = pin!(registered.notify.notified());
            // Registered before it is looked for, so that no notification is missed.
            notified.as_mut().enable();
            match find().await? {
                Some(found) => return Ok(found),
                None => notified.await,
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<RunId, Waiting>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that waits for a run.
struct Registered<'a> {
    waiters: &'a Waiters,
    run: &'a RunId,
    notify: Arc<Notify>,
}

impl<'a> Registered<'a> {
    fn new(waiters: &'a Waiters, run: &'a RunId) -> Self {
        let mut runs = waiters.lock();
        let waiting = runs.entry(run.clone()).or_default();
        waiting.count += 1;
        let notify = Arc::clone(&waiting.notify);
        Self { waiters, run, notify }
    }
}

impl Drop for Registered<'_> {
    fn drop(&mut self) {
        let mut runs = self.waiters.lock();
        if let Some(waiting) = runs.get_mut(self.run) {
            waiting.count -= 1;
            if waiting.count == 0 {
                runs.remove(self.run);
            }
        }
    }
}
