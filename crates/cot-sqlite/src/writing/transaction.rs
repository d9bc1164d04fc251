//! Transactions in which functions of processes write.
//!
//! A database has one writer, so the writing thread lends its connection to the function, and waits until it gets it
//! back. Other commits queue up behind it, in their order.

use std::{
    mem,
    sync::mpsc::{Sender, channel},
};

use cot_engine::Connection as AnyConnection;
use cot_store::{Record, RunId, StoreError, internal::row::Row};
use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::{
    driving::lease,
    error::{OperationError, failed},
    journal,
    writing::{write_connection::WriteConnection, writer::Writer},
};

const WHAT: &str = "committing the transaction of a function";

/// The write connection, with an open transaction. Dropping it rolls back.
pub(crate) struct Loan {
    /// `None` once it is given back.
    connection: Option<Connection>,
    /// Stands for the connection then.
    nothing: (),
    back: Sender<Returned>,
}

/// The connection that is given back, and what is appended before the commit; nothing for a rollback.
type Returned = (Connection, Option<Appended>);

/// The records that are appended, and their rows.
pub(crate) type Appended = (Vec<Record>, Vec<Row>);

/// The outcome of a commit.
pub(crate) type Committed = oneshot::Receiver<Result<(), StoreError>>;

impl Loan {
    /// Begins a transaction for the run of a lease, after the commits that wait for the writer.
    pub(crate) async fn take(
        writer: &Writer,
        run: RunId,
        epoch: u64,
    ) -> Result<(Self, Committed), StoreError> {
        let (lend, lent) = oneshot::channel();
        let (done, committed) = oneshot::channel();
        writer.send_outside_transaction(move |db| {
            let ended = db.transaction(|db| lend_connection(db, (&run, epoch), lend));
            // The receiver may be dropped.
            let _ = done.send(ended.map_err(|problem| problem.into_error(WHAT)));
        });
        match lent.await {
            Ok(loan) => Ok((loan, committed)),
            Err(_) => {
                let ended = outcome(committed).await;
                Err(ended.err().unwrap_or_else(|| failed(WHAT, "", "it was not begun")))
            }
        }
    }

    pub(crate) fn connection(&mut self) -> &mut AnyConnection {
        match &mut self.connection {
            Some(connection) => connection,
            None => &mut self.nothing,
        }
    }

    /// Checks that the transaction is open.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        match &self.connection {
            Some(connection) if !connection.is_autocommit() => Ok(()),
            _ => Err(failed(WHAT, "", "the function has ended the transaction itself")),
        }
    }

    /// Gives the connection back, and appends before the commit.
    pub(crate) fn commit(mut self, appended: Appended) {
        self.give_back(Some(appended));
    }

    fn give_back(&mut self, appended: Option<Appended>) {
        if let Some(connection) = self.connection.take() {
            // The thread waits for it.
            let _ = self.back.send((connection, appended));
        }
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        self.give_back(None);
    }
}

/// Returns the outcome of a commit.
pub(crate) async fn outcome(committed: Committed) -> Result<(), StoreError> {
    committed.await.unwrap_or_else(|gone| Err(failed(WHAT, "", gone)))
}

/// Lends the connection within its transaction, and appends what comes back with it.
fn lend_connection(
    db: &mut WriteConnection,
    (run, epoch): (&RunId, u64),
    lend: oneshot::Sender<Loan>,
) -> Result<(), OperationError> {
    lease::check(&db.connection, run, epoch)?;
    let (back, returned) = channel();
    let connection = mem::replace(&mut db.connection, Connection::open_in_memory()?);
    // Without a receiver, it comes back at once.
    drop(lend.send(Loan { connection: Some(connection), nothing: (), back }));
    let gone = |_| failed(WHAT, "", "the connection was not given back");
    let (connection, appended) = returned.recv().map_err(gone)?;
    db.connection = connection;
    match appended {
        Some((records, rows)) => journal::append(db, run, epoch, &records, &rows),
        // Only a marker: nobody waits for the outcome of what is rolled back.
        None => Err(rusqlite::Error::InvalidQuery.into()),
    }
}
