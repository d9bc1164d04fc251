//! The settings of a worker.

use std::{sync::Arc, time::Duration};

use cot_store::Store;

use crate::worker::{error::WorkerError, observers::Observers, process::ServedProcess};

/// The settings of a worker, and its processes.
pub(super) struct Settings {
    pub(super) store: Arc<dyn Store>,
    pub(super) processes: Vec<Arc<dyn ServedProcess>>,
    pub(super) max_runs: usize,
    /// `None` for that of the store.
    pub(super) poll_interval: Option<Duration>,
    pub(super) max_crashes: u32,
    pub(super) grace: Duration,
    pub(super) observers: Observers,
}

/// The number of crashes that count for all runs of a program that dies.
const MAX_SHARED_CRASHES: u32 = 2;

impl Settings {
    pub(super) fn new(store: Arc<dyn Store>) -> Self {
        Self {
            store,
            processes: Vec::new(),
            max_runs: 64,
            poll_interval: None,
            max_crashes: 5,
            grace: Duration::from_secs(10),
            observers: Observers::default(),
        }
    }

    /// Checks the processes.
    pub(super) fn check(&self) -> Result<(), WorkerError> {
        for (number, process) in self.processes.iter().enumerate() {
            let name = process.name();
            if self.processes.iter().take(number).any(|other| other.name() == name) {
                return Err(WorkerError::SameProcess { process: name });
            }
            process.check().map_err(|error| {
                let source = Box::new(error);
                WorkerError::Process { process: name, source }
            })?;
        }
        Ok(())
    }

    /// Returns how often to look for due runs.
    pub(super) fn poll_interval(&self) -> Duration {
        self.poll_interval.unwrap_or_else(|| self.store.poll_interval())
    }

    /// Returns after how many crashes a run is driven as the only one of these, so that the next crash counts for it
    /// alone.
    pub(super) fn suspect_from(&self) -> u32 {
        self.max_crashes.saturating_sub(1).clamp(1, MAX_SHARED_CRASHES)
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.processes.iter().map(|process| process.name().to_owned()).collect()
    }

    pub(super) fn process(&self, name: &str) -> Option<Arc<dyn ServedProcess>> {
        self.processes.iter().find(|process| process.name() == name).map(Arc::clone)
    }
}
