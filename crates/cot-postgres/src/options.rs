//! Opening of a store.

use std::{borrow::Cow, time::Duration};

use cot_store::StoreError;
use sqlx::{
    PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use crate::{
    database::Database,
    error::failed,
    schema::{self, OPENING},
    store::{Inner, PgStore},
};

/// The options for opening a store; see [`PgStore::options`].
#[derive(Debug, Clone)]
pub struct PgOptions {
    schema: Cow<'static, str>,
    lease_time: Duration,
    must_exist: bool,
}

impl Default for PgOptions {
    fn default() -> Self {
        Self { schema: "cot".into(), lease_time: Duration::from_secs(6), must_exist: false }
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

    /// Opens only a store that exists, and of this version: nothing is created or migrated.
    #[must_use]
    pub const fn existing(mut self) -> Self {
        self.must_exist = true;
        self
    }

    /// Connects to a database by its address (`postgres://user:password@host/database`), with a pool of the defaults of
    /// sqlx but for 5 s to connect, and opens the store in it.
    ///
    /// # Errors
    ///
    /// The errors of [`open`](Self::open), and an error if the address can't be parsed.
    pub async fn connect(&self, address: &str) -> Result<PgStore, StoreError> {
        let parsed = address.parse::<PgConnectOptions>();
        let options =
            parsed.map_err(|error| failed(OPENING, ": its address can't be parsed", error))?;
        let pool = PgPoolOptions::new().acquire_timeout(Duration::from_secs(5));
        self.open(pool.connect_lazy_with(options)).await
    }

    /// Opens the store in a database; creates or migrates it if necessary. Programs that start at the same time do
    /// that one after the other.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotAStore`] if the schema belongs to another program, or, with [`existing`](Self::existing),
    /// if there is no store; [`StoreError::UnsupportedVersion`] if a newer version of this crate wrote it;
    /// [`StoreError::Denied`] if the user may not create the schema or use it; [`StoreError::Unreachable`] if there
    /// is no server.
    pub async fn open(&self, pool: PgPool) -> Result<PgStore, StoreError> {
        schema::check_name(&self.schema)?;
        let db = Database { pool, schema: self.schema.clone() };
        let opened = db.attempt(OPENING, |_| async {
            if self.must_exist {
                schema::check_version(&db).await
            } else {
                schema::migrate(&db).await
            }
        });
        opened.await?;
        // For heartbeats, releases and notifications, which must not wait for the program's own work.
        let own = PgPoolOptions::new()
            .max_connections(2)
            .acquire_timeout(self.lease_time)
            .max_lifetime(None)
            .idle_timeout(Duration::from_secs(60))
            .connect_lazy_with((*db.pool.connect_options()).clone());
        Ok(PgStore::from_inner(Inner::new(db, own, self.lease_time)))
    }
}
