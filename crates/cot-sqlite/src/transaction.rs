//! Transactions of a store.

use std::future::ready;

use cot_engine::Connection;
use cot_model::BoxFuture;
use cot_store::{Lease, Record, StoreError, Transaction};

use crate::{
    store::{Inner, SqliteStore, rows_of},
    writing::transaction::{Committed, Loan, outcome},
};

/// A transaction for a run.
struct SqliteTransaction {
    // Given back before the store is dropped, whose thread waits for it.
    loan: Loan,
    committed: Committed,
    store: SqliteStore,
}

impl SqliteStore {
    /// Begins a transaction for the run of a lease.
    pub(crate) async fn begin_transaction(
        &self,
        lease: &Lease,
    ) -> Result<Box<dyn Transaction>, StoreError> {
        let run = lease.run().clone();
        let Inner { writer, transaction_limit, .. } = &*self.inner;
        let lent = Loan::take(writer, run, lease.epoch(), *transaction_limit).await;
        let (loan, committed) = lent?;
        Ok(Box::new(SqliteTransaction { loan, committed, store: self.clone() }))
    }
}

impl Transaction for SqliteTransaction {
    fn connection(&mut self) -> &mut Connection {
        self.loan.connection()
    }

    fn check(&mut self) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(ready(self.loan.check()))
    }

    fn commit<'a>(
        self: Box<Self>,
        lease: &'a Lease,
        records: Vec<Record>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let Self { loan, committed, store } = *self;
            let rows = rows_of(&records)?;
            let taken = store.inner.drafts.taken_by(&records);
            loan.commit((records, rows));
            outcome(committed).await?;
            store.take_drafts(lease.epoch(), taken);
            Ok(())
        })
    }
}
