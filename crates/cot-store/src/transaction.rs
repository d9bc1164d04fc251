//! Transactions in which functions write rows of the program.

use std::time::Duration;

use cot_engine::{Connection, ConnectionType};
use cot_model::BoxFuture;

use crate::{error::StoreError, lease::Lease, record::Record};

/// A transaction of a store, in which a function with [`effect: transaction`](cot_engine::Effect::Transaction) writes.
/// Dropping it rolls it back.
pub trait Transaction: Send {
    /// Returns the connection that the function receives, of the type that the [store](TransactionSupport) names.
    fn connection(&mut self) -> &mut Connection;

    /// Checks what the function has left, before its result counts: the transaction is open, and nothing that the function
    /// wrote keeps it from being committed.
    ///
    /// # Errors
    ///
    /// The reason. The attempt of the task fails with it.
    fn check(&mut self) -> BoxFuture<'_, Result<(), StoreError>>;

    /// Appends records to the journal of the run, with the lease that the transaction was begun with, and commits them
    /// together with what was written on the connection: both or nothing. Where the outcome of the commit is not known, the
    /// journal tells it.
    ///
    /// # Errors
    ///
    /// Those of [`Store::append`](crate::Store::append), and that of the commit. Nothing is written then.
    fn commit<'a>(
        self: Box<Self>,
        lease: &'a Lease,
        records: Vec<Record>,
    ) -> BoxFuture<'a, Result<(), StoreError>>;
}

/// What a store offers to functions with [`effect: transaction`](cot_engine::Effect::Transaction).
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct TransactionSupport {
    /// The type of its connections.
    pub connection: ConnectionType,
    /// How long a function may take, since others wait for what it holds. After this time it is dropped, and its
    /// transaction is rolled back.
    pub limit: Duration,
}

impl TransactionSupport {
    /// Creates the description of a store.
    #[must_use]
    pub const fn new(connection: ConnectionType, limit: Duration) -> Self {
        Self { connection, limit }
    }
}
