//! Transactions in which functions of processes write.
//!
//! A database has one writer, so the writing thread lends its connection to the function, and waits until it gets it
//! back. Other commits queue up behind it, in their order. A function that has returned leaves the connection where the
//! thread takes it back if nobody commits.

use std::{
    mem,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    time::Duration,
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

const BEGINNING: &str = "beginning a transaction for a function";
const CHECKING: &str = "checking the transaction of a function";
const COMMITTING: &str = "committing the transaction of a function";

/// How long the writing thread waits beyond the limit of the store before it takes a connection back.
const GRACE: Duration = Duration::from_secs(1);

/// The write connection, with an open transaction. Dropping it rolls back.
pub(crate) struct Loan {
    /// `None` once the function has returned.
    connection: Option<Connection>,
    /// Stands for the connection then.
    nothing: (),
    /// Whether the transaction was rolled back since it was lent.
    is_rolled_back: Arc<AtomicBool>,
    left: Left,
    back: Sender<Returned>,
}

/// The connection of a function that has returned, until it is committed or taken back.
type Left = Arc<Mutex<Option<Connection>>>;

/// The connection that is given back, and what is appended before the commit; nothing for a rollback.
type Returned = (Connection, Option<Appended>);

/// The records that are appended, and their rows.
pub(crate) type Appended = (Vec<Record>, Vec<Row>);

/// The outcome of a commit.
pub(crate) type Committed = oneshot::Receiver<Result<(), StoreError>>;

impl Loan {
    /// Begins a transaction for the run of a lease, after the commits that wait for the writer. It is committed within
    /// the limit.
    pub(crate) async fn take(
        writer: &Writer,
        run: RunId,
        epoch: u64,
        limit: Duration,
    ) -> Result<(Self, Committed), StoreError> {
        let (lend, lent) = oneshot::channel();
        let (done, committed) = oneshot::channel();
        writer.send_outside_transaction(move |db| {
            let mut what = BEGINNING;
            let ended = db.transaction(|db| {
                lease::check(&db.connection, &run, epoch)?;
                what = COMMITTING;
                lend_connection(db, (&run, epoch), lend, limit.saturating_add(GRACE))
            });
            // The receiver may be dropped.
            let _ = done.send(ended.map_err(|problem| problem.into_error(what)));
        });
        match lent.await {
            Ok(loan) => Ok((loan, committed)),
            Err(_) => {
                let ended = outcome(committed).await;
                Err(ended.err().unwrap_or_else(|| failed(BEGINNING, "", "it was not begun")))
            }
        }
    }

    pub(crate) fn connection(&mut self) -> &mut AnyConnection {
        match &mut self.connection {
            Some(connection) => connection,
            None => &mut self.nothing,
        }
    }

    /// Checks that the transaction is the one that was lent, and can be committed. The function has no connection from
    /// then on.
    pub(crate) fn check(&mut self) -> Result<(), StoreError> {
        let is_own =
            |db: &Connection| !db.is_autocommit() && !self.is_rolled_back.load(Ordering::Acquire);
        let Some(connection) = self.connection.take_if(|db| is_own(db)) else {
            return Err(failed(CHECKING, "", "the function has ended the transaction itself"));
        };
        let broken = find_broken_key(&connection);
        *lock(&self.left) = Some(connection);
        match broken.map_err(|error| OperationError::from(error).into_error(CHECKING))? {
            Some(table) => {
                let why = format!("a foreign key of table `{table}` has no row");
                Err(failed(CHECKING, "", why))
            }
            None => Ok(()),
        }
    }

    /// Gives the connection back, and appends before the commit, unless the thread has taken it back.
    pub(crate) fn commit(mut self, appended: Appended) {
        self.give_back(Some(appended));
    }

    fn give_back(&mut self, appended: Option<Appended>) {
        let left = || lock(&self.left).take();
        if let Some(connection) = self.connection.take().or_else(left) {
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
    committed.await.unwrap_or_else(|gone| Err(failed(COMMITTING, "", gone)))
}

/// Returns a table with a row whose foreign key is put off to the commit and has no row then, as the commit would find. A
/// step that is taken can't fail for it any more.
fn find_broken_key(db: &Connection) -> rusqlite::Result<Option<String>> {
    let all: bool = db.pragma_query_value(None, "defer_foreign_keys", |row| row.get(0))?;
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND (?1 OR sql LIKE '%DEFERRED%') AND EXISTS \
               (SELECT 1 FROM pragma_foreign_key_check(sqlite_schema.name)) LIMIT 1";
    let mut tables = db.prepare_cached(sql)?;
    let mut found = tables.query([all])?;
    found.next()?.map(|row| row.get(0)).transpose()
}

/// Lends the connection within its transaction, and appends what comes back with it.
fn lend_connection(
    db: &mut WriteConnection,
    (run, epoch): (&RunId, u64),
    lend: oneshot::Sender<Loan>,
    limit: Duration,
) -> Result<(), OperationError> {
    let (back, returned) = channel();
    let (is_rolled_back, left) = <(Arc<AtomicBool>, Left)>::default();
    let mut connection = mem::replace(&mut db.connection, Connection::open_in_memory()?);
    let rolled_back = Arc::clone(&is_rolled_back);
    // A commit of the function fails, and becomes a rollback, which is noticed.
    drop(connection.commit_hook(Some(|| true)));
    drop(connection.rollback_hook(Some(move || rolled_back.store(true, Ordering::Release))));
    let loan = Loan {
        connection: Some(connection),
        nothing: (),
        is_rolled_back,
        left: Arc::clone(&left),
        back,
    };
    // Without a receiver, it comes back at once.
    drop(lend.send(loan));
    let (mut connection, appended) = wait_for(&returned, &left, limit)?;
    drop(connection.commit_hook(None::<fn() -> bool>));
    drop(connection.rollback_hook(None::<fn()>));
    db.restore(connection)?;
    match appended {
        Some((records, rows)) => journal::append(db, run, epoch, &records, &rows),
        None => Err(failed(COMMITTING, "", EXPIRED).into()),
    }
}

/// Why a transaction ends that is not committed. Nobody reads it where a transaction was dropped.
const EXPIRED: &str = "the program did not poll its run within the limit of the store";

/// Waits for the connection. Takes that of a function that has returned if it does not come back in time: what would
/// commit it may itself wait for this thread.
fn wait_for(
    returned: &Receiver<Returned>,
    left: &Left,
    limit: Duration,
) -> Result<Returned, OperationError> {
    let mut time = limit;
    loop {
        match returned.recv_timeout(time) {
            Ok(returned) => return Ok(returned),
            Err(RecvTimeoutError::Timeout) => {
                if let Some(connection) = lock(left).take() {
                    return Ok((connection, None));
                }
                // A function that does not await is still being called, or the connection is on its way.
                time = GRACE;
            }
            Err(RecvTimeoutError::Disconnected) => {
                let gone = "the connection was not given back";
                return Err(failed(COMMITTING, "", gone).into());
            }
        }
    }
}

/// Locks a slot. It holds nothing that a panic could leave inconsistent.
fn lock(left: &Mutex<Option<Connection>>) -> MutexGuard<'_, Option<Connection>> {
    left.lock().unwrap_or_else(PoisonError::into_inner)
}
