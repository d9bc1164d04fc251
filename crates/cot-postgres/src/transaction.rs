//! Transactions in which functions of processes write.

use cot_engine::Connection;
use cot_model::BoxFuture;
use cot_store::{EntryHash, Lease, Record, StoreError, Transaction, internal::row::Row};
use sqlx::{Executor as _, PgConnection, Postgres};

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
        // The server ends what this program can't: a statement that runs, and the transaction of a frozen program. The
        // setting of its own is gone if the function has ended the transaction.
        let limit = self.inner.transaction_limit.as_millis() + GRACE_MILLIS;
        let begin = format!(
            "BEGIN; SET LOCAL statement_timeout = {limit}; \
             SET LOCAL idle_in_transaction_session_timeout = {limit}; SET LOCAL cot.in_function = 'on'"
        );
        let inner =
            db.attempt(BEGINNING, |_| async { Ok(db.pool.begin_with(begin.clone()).await?) });
        Ok(Box::new(PgTransaction { inner: inner.await?, store: self.clone() }))
    }
}

/// How long the server waits beyond the limit of the store, in milliseconds.
const GRACE_MILLIS: u128 = 1000;

impl Transaction for PgTransaction {
    fn connection(&mut self) -> &mut Connection {
        let connection: &mut PgConnection = &mut self.inner;
        connection
    }

    fn check(&mut self) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(async move {
            let is_open = check(&mut self.inner).await;
            match is_open.map_err(|error| OperationError::from(error).into_error(CHECKING))? {
                true => Ok(()),
                false => Err(failed(CHECKING, "", "the function has ended the transaction itself")),
            }
        })
    }

    fn commit<'a>(
        self: Box<Self>,
        lease: &'a Lease,
        records: Vec<Record>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let Self { inner, store } = *self;
            store.commit_records(inner, lease, &records).await?;
            store.take_drafts(lease, &records).await;
            Ok(())
        })
    }
}

/// Checks the constraints that were put off to the commit, which an aborted transaction refuses. Returns whether the
/// transaction is the one that the store has begun.
async fn check(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    connection.execute("SET CONSTRAINTS ALL IMMEDIATE").await?;
    let setting = sqlx::query_scalar("SELECT current_setting('cot.in_function', true) = 'on'");
    setting.fetch_one(connection).await.map(Option::unwrap_or_default)
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
        let (run, hash) = appended.map_err(|error| error.into_error(COMMITTING))?;
        match transaction.commit().await.map_err(OperationError::from) {
            Ok(()) => {}
            Err(error) if error.trouble() == Trouble::Connection => {
                if !self.was_committed(lease, hash).await? {
                    return Err(error.into_error(COMMITTING));
                }
            }
            Err(error) => return Err(error.into_error(COMMITTING)),
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
        what: (&[Record], &[Row]),
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
