//! Opening of a store.

use std::time::Duration;

use cot_store::StoreError;
use sqlx::{
    PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use crate::{
    append::batch::SLOTS,
    database::Database,
    error::failed,
    options::PgOptions,
    schema::{self, OPENING},
    store::{Inner, PgStore},
};

impl PgStore {
    /// Opens or creates a store in the schema `cot` of a database, with the default [`PgOptions`].
    ///
    /// # Errors
    ///
    /// The errors of [`PgOptions::open`].
    pub async fn new(pool: PgPool) -> Result<Self, StoreError> {
        PgOptions::default().open(pool).await
    }

    /// Returns the default options.
    #[must_use]
    pub fn options() -> PgOptions {
        PgOptions::default()
    }
}

impl PgOptions {
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
            let opened = if self.must_exist {
                schema::check_version(&db).await
            } else {
                schema::migrate(&db).await
            };
            opened.map_err(|error| error.at_once(OPENING))
        });
        opened.await?;
        // For heartbeats, releases and notifications, which must not wait for the program's own work.
        let own = PgPoolOptions::new()
            .max_connections(2)
            .acquire_timeout(self.lease_time)
            .max_lifetime(None)
            .idle_timeout(Duration::from_secs(60))
            .connect_lazy_with((*db.pool.connect_options()).clone());
        // A connection that is lost is noticed by the append, which is tried again.
        let writing = PgPoolOptions::new()
            .max_connections(SLOTS)
            .max_lifetime(None)
            .test_before_acquire(false)
            .connect_lazy_with((*db.pool.connect_options()).clone());
        Ok(PgStore::from_inner(Inner::new(
            db,
            [own, writing],
            self.lease_time,
            self.transaction_limit,
        )))
    }
}
