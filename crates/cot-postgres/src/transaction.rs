//! Transactions in which functions of processes write.

use cot_engine::Connection;
use cot_model::BoxFuture;
use cot_store::{EntryHash, Lease, Record, StoreError, Transaction, internal::row};
use sqlx::{Executor as _, PgConnection, Postgres, Row as _};

use crate::{
    append::{append, batch},
    driving::{driven::Driven, lease},
    error::{OperationError, Trouble, failed},
    store::{Inner, PgStore},
};

const BEGINNING: &str = "beginning a transaction for a function";
const CHECKING: &str = "checking the transaction of a function";
const COMMITTING: &str = "committing the transaction of a function";

/// A transaction for a run, on a connection of the program's pool.
struct PgTransaction {
    inner: sqlx::Transaction<'static, Postgres>,
    /// The role of the connection, or `none`.
    role: String,
    store: PgStore,
}

impl PgStore {
    /// Begins a transaction for the run of a lease.
    pub(crate) async fn begin_transaction(
        &self,
        lease: &Lease,
    ) -> Result<Box<dyn Transaction>, StoreError> {
        let db = &self.inner.db;
        self.inner.owners.held(lease)?;
        // The setting of its own is gone if the function has ended the transaction.
        let begin = format!("BEGIN; {}; SET LOCAL cot.in_function = 'on'", self.time_outs());
        let begun = db.attempt(BEGINNING, |_| async {
            let mut inner = db.pool.begin_with(begin.clone()).await?;
            // A query would take the snapshot, after which a function can't choose the isolation level.
            let role = inner.fetch_one("SHOW role").await?;
            Ok((inner, role.try_get::<String, _>(0)?))
        });
        let (inner, role) = begun.await?;
        Ok(Box::new(PgTransaction { inner, role, store: self.clone() }))
    }
}

impl PgStore {
    /// Returns the settings by which the server ends what this program can't: a statement that runs, and the transaction of
    /// a frozen program.
    fn time_outs(&self) -> String {
        let limit = self.inner.transaction_limit.as_millis().saturating_add(GRACE_MILLIS);
        let limit = limit.min(MAX_MILLIS);
        format!(
            "SET LOCAL statement_timeout = {limit}; \
             SET LOCAL idle_in_transaction_session_timeout = {limit}"
        )
    }
}

/// How long the server waits beyond the limit of the store, in milliseconds.
const GRACE_MILLIS: u128 = 1000;

/// The longest time that the server accepts, 24.8 days.
const MAX_MILLIS: u128 = i32::MAX as u128;

impl Transaction for PgTransaction {
    fn connection(&mut self) -> &mut Connection {
        let connection: &mut PgConnection = &mut self.inner;
        connection
    }

    fn check(&mut self) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            let left = check(&mut self.inner, &self.store.time_outs(), &self.role).await;
            let why =
                match left.map_err(|error| OperationError::from(error).into_error(CHECKING))? {
                    (true, true) => return Ok(()),
                    (true, false) => "the function has made the transaction read-only",
                    (false, _) => "the function has ended the transaction itself",
                };
            Err(failed(CHECKING, "", why))
        })
    }

    fn commit<'a>(
        self: Box<Self>,
        lease: &'a Lease,
        records: Vec<Record>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let Self { inner, store, .. } = *self;
            store.commit_records(inner, lease, &records).await?;
            store.take_drafts(lease, &records).await;
            Ok(())
        })
    }
}

/// Sets back what would keep the store from appending, and checks the constraints that were put off to the commit, which an
/// aborted transaction refuses. Returns whether the transaction is the one that the store has begun, and whether it may write.
async fn check(
    connection: &mut PgConnection,
    time_outs: &str,
    role: &str,
) -> Result<(bool, bool), sqlx::Error> {
    let role = role.replace('\'', "''");
    let restore = format!(
        "{time_outs}; SET LOCAL role = '{role}'; SET CONSTRAINTS ALL IMMEDIATE; \
         SELECT coalesce(current_setting('cot.in_function', true) = 'on', false), \
                current_setting('transaction_read_only') = 'off'"
    );
    let row = connection.fetch_one(&*restore).await?;
    Ok((row.try_get(0)?, row.try_get(1)?))
}

/// Returns the error for a transaction of this function alone: another one may succeed at once where this one was in the
/// way of others, so that it says nothing of the store.
fn uncommitted(error: OperationError) -> StoreError {
    match error.trouble() {
        Trouble::Conflict => failed(COMMITTING, "", error.into_error(COMMITTING)),
        Trouble::Connection | Trouble::Lasting => error.into_error(COMMITTING),
    }
}

impl PgStore {
    async fn commit_records(
        &self,
        mut transaction: sqlx::Transaction<'static, Postgres>,
        lease: &Lease,
        records: &[Record],
    ) -> Result<(), StoreError> {
        let held = self.inner.owners.held(lease)?;
        let rows = append::rows_of(records)?;
        let mut driven = held.driven.lock().await;
        let known = driven.take();
        let appended = self.append_in(&mut transaction, lease, known, (records, &rows)).await;
        let (run, hash) = appended.map_err(uncommitted)?;
        match transaction.commit().await.map_err(OperationError::from) {
            Ok(()) => {}
            Err(error) if error.trouble() == Trouble::Connection => {
                if !self.was_committed(lease, hash).await? {
                    return Err(error.into_error(COMMITTING));
                }
            }
            Err(error) => return Err(uncommitted(error)),
        }
        *driven = Some(run);
        Ok(())
    }

    /// Appends records in a transaction, if the lease is held and the journal has not grown. Returns the run, and the hash
    /// of its last entry.
    async fn append_in(
        &self,
        connection: &mut PgConnection,
        lease: &Lease,
        known: Option<Driven>,
        what: (&[Record], &[row::Row]),
    ) -> Result<(Driven, Option<EntryHash>), OperationError> {
        let Inner { db, owners, fixed, .. } = &*self.inner;
        let mut run = match known {
            Some(known) => known,
            None => Driven::new(lease::load(db, lease.run(), lease.epoch()).await?),
        };
        if let Some(change) = append::change_of(db, fixed, lease, &mut run, what).await? {
            let written = batch::execute(db, connection, owners.own_id(), &[&change]).await?;
            if !written.contains(&change.id) {
                // Says so if the lease is lost.
                lease::load(db, lease.run(), lease.epoch()).await?;
                return Err(OperationError::Outdated);
            }
        }
        let hash = run.hash;
        Ok((run, hash))
    }

    /// Returns whether a commit whose end was not heard of was done: whether the journal has its last entry. Waits for the
    /// lock of a commit that is still under way.
    async fn was_committed(
        &self,
        lease: &Lease,
        hash: Option<EntryHash>,
    ) -> Result<bool, StoreError> {
        let db = &self.inner.db;
        let sql = db.sql("SELECT hash FROM cot.runs WHERE run = $1 FOR UPDATE");
        let find = |_| async {
            let query = sqlx::query_scalar::<_, Option<Vec<u8>>>(&sql).bind(lease.run().as_str());
            Ok(query.fetch_optional(&db.pool).await?.flatten())
        };
        let known = db.attempt(COMMITTING, find).await?;
        Ok(known.is_some() && known.as_deref() == hash.as_ref().map(|hash| &hash.as_bytes()[..]))
    }
}
