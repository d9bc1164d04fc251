//! The observers of a worker.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use crate::worker::event::WorkerEvent;

/// The observers of a worker.
#[derive(Clone, Default)]
pub(super) struct Observers(Vec<Observer>);

type Observer = Arc<dyn Fn(&WorkerEvent) + Send + Sync>;

impl Observers {
    pub(super) fn add(&mut self, observer: impl Fn(&WorkerEvent) + Send + Sync + 'static) {
        self.0.push(Arc::new(observer));
    }

    pub(super) fn notify(&self, event: &WorkerEvent) {
        for observer in &self.0 {
            // A panic can only break state of the observer itself.
            let _ = catch_unwind(AssertUnwindSafe(|| observer(event)));
        }
    }
}
