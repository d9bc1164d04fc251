//! The threads that read.

use std::{
    io,
    sync::{Mutex, PoisonError, mpsc::Receiver},
};

use cot_core::store::StoreError;
use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::{
    error::{Problem, failed},
    threads::Threads,
};

type Job = Box<dyn FnOnce(&Connection) + Send>;

/// Reading threads with a connection each. Dropping them waits until all is read.
pub(crate) struct Readers {
    threads: Threads<Job>,
}

impl Readers {
    pub(crate) fn start(connections: Vec<Connection>) -> io::Result<Self> {
        let with_connection = |connection| move |inbox: &_| read(&connection, inbox);
        let works = connections.into_iter().map(with_connection).collect();
        Ok(Self { threads: Threads::many("read", works)? })
    }

    /// Reads. `what` says in words what is read.
    pub(crate) async fn perform<T: Send + 'static>(
        &self,
        what: &'static str,
        work: impl FnOnce(&Connection) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (to, answer) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let outcome = work(connection).map_err(|problem| problem.into_error(what));
            // Nobody may wait for it any more.
            let _ = to.send(outcome);
        });
        self.threads.order(job);
        answer.await.unwrap_or_else(|gone| Err(failed(what, "", gone)))
    }
}

fn read(connection: &Connection, inbox: &Mutex<Receiver<Job>>) {
    loop {
        let job = inbox.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        job(connection);
    }
}

/// Reads a state of the database that does not change meanwhile.
pub(crate) fn at_one_moment<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, Problem>,
) -> Result<T, Problem> {
    let transaction = connection.unchecked_transaction()?;
    let outcome = work(connection);
    transaction.finish()?;
    outcome
}
