//! The reading threads.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError, mpsc::Receiver},
};

use cot_store::StoreError;
use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::{
    database_file::DatabaseFile,
    error::{OperationError, failed},
    threads::Threads,
};

type Job = Box<dyn FnOnce(&Connection) + Send>;

/// The reading threads, each with its own connection. Dropping it waits until all jobs are done.
pub(crate) struct Readers {
    threads: Threads<Job>,
    file: Arc<DatabaseFile>,
}

impl Readers {
    pub(crate) fn start(connections: Vec<Connection>, file: Arc<DatabaseFile>) -> io::Result<Self> {
        let with_connection = |connection| move |inbox: &_| read(&connection, inbox);
        let works = connections.into_iter().map(with_connection).collect();
        Ok(Self { threads: Threads::many("read", works)?, file })
    }

    /// Runs `work` on a reading thread. `what` describes it in errors. Fails if the file of the database has been
    /// deleted or replaced.
    pub(crate) async fn perform<T: Send + 'static>(
        &self,
        what: &'static str,
        work: impl FnOnce(&Connection) -> Result<T, OperationError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.begin(what, work).await.unwrap_or_else(|gone| Err(failed(what, "", gone)))
    }

    /// Like [`perform`](Self::perform), without waiting for the outcome.
    pub(crate) fn begin<T: Send + 'static>(
        &self,
        what: &'static str,
        work: impl FnOnce(&Connection) -> Result<T, OperationError> + Send + 'static,
    ) -> oneshot::Receiver<Result<T, StoreError>> {
        let (to, answer) = oneshot::channel();
        let file = Arc::clone(&self.file);
        let job: Job = Box::new(move |connection| {
            let outcome = file.check().and_then(|()| work(connection));
            // The receiver may be dropped.
            let _ = to.send(outcome.map_err(|problem| problem.into_error(what)));
        });
        self.threads.send(job);
        answer
    }
}

fn read(connection: &Connection, inbox: &Mutex<Receiver<Job>>) {
    loop {
        let job = inbox.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        job(connection);
    }
}

/// Runs `work` on a consistent snapshot of the database.
pub(crate) fn in_snapshot<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, OperationError>,
) -> Result<T, OperationError> {
    let transaction = connection.unchecked_transaction()?;
    let outcome = work(connection);
    transaction.finish()?;
    outcome
}
