//! The connections of a server that make room for new ones.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::task::{AbortHandle, JoinSet};

/// The tasks of the connections without a request of a visitor with access, from the oldest. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Strangers(Arc<Mutex<BTreeMap<u64, AbortHandle>>>);

/// A connection, as an extension of its requests.
#[derive(Clone)]
pub(crate) struct Connection {
    number: u64,
    strangers: Strangers,
}

impl Strangers {
    /// Spawns the task of a connection, which is a stranger until it is [admitted](Connection::admit).
    pub(super) fn spawn<F>(
        &self,
        tasks: &mut JoinSet<()>,
        number: u64,
        serve: impl FnOnce(Connection) -> F,
    ) where
        F: Future<Output = ()> + Send + 'static,
    {
        let connection = Connection { number, strangers: self.clone() };
        // Held until the task is entered: it can be admitted at once.
        let mut strangers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        strangers.retain(|_, task| !task.is_finished());
        strangers.insert(number, tasks.spawn(serve(connection)));
    }

    /// Aborts the oldest stranger. Returns whether there was one.
    pub(super) fn abort_oldest(&self) -> bool {
        let mut strangers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let oldest = strangers.pop_first();
        oldest.inspect(|(_, task)| task.abort()).is_some()
    }
}

impl Connection {
    /// Keeps the connection until its client or the server ends it.
    pub(crate) fn admit(&self) {
        let mut strangers = self.strangers.0.lock().unwrap_or_else(PoisonError::into_inner);
        strangers.remove(&self.number);
    }
}
