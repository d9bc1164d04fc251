//! The options for opening a store.

use std::{borrow::Cow, time::Duration};

/// The options for opening a store; see [`PgStore::options`](crate::PgStore::options).
#[derive(Debug, Clone)]
pub struct PgOptions {
    pub(crate) schema: Cow<'static, str>,
    pub(crate) lease_time: Duration,
    pub(crate) transaction_limit: Duration,
    pub(crate) must_exist: bool,
}

impl Default for PgOptions {
    fn default() -> Self {
        Self {
            schema: "cot".into(),
            lease_time: Duration::from_secs(6),
            transaction_limit: Duration::from_secs(5),
            must_exist: false,
        }
    }
}

impl PgOptions {
    /// Sets the schema of the tables, which belongs to the store alone. Default: `cot`. A database may have several
    /// stores, each in a schema of its own.
    #[must_use]
    pub fn schema(mut self, schema: impl Into<String>) -> Self {
        self.schema = schema.into().into();
        self
    }

    /// Sets how long a lease is worth something without a heartbeat, by the clock of the server. Default: 6 s. A
    /// heartbeat is sent three times in this time. Another program takes the runs of a program that is frozen or cut
    /// off after it; at least 300 ms.
    #[must_use]
    pub fn lease_time(mut self, time: Duration) -> Self {
        self.lease_time = time.max(Duration::from_millis(300));
        self
    }

    /// Sets how long a function with `effect: transaction` may take, since others wait for the rows that it has locked. After
    /// this time the function is dropped, its transaction is rolled back, and the attempt of the task fails. Default: 5 s.
    #[must_use]
    pub const fn transaction_limit(mut self, limit: Duration) -> Self {
        self.transaction_limit = limit;
        self
    }

    /// Opens only a store that exists, and of this version: nothing is created or migrated.
    #[must_use]
    pub const fn existing(mut self) -> Self {
        self.must_exist = true;
        self
    }
}
