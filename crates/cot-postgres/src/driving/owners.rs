//! This program as an owner of leases: its heartbeat, and the leases that it holds.
//!
//! A lease is worth something as long as its owner's row has not expired, by the clock of the server. So one heartbeat
//! renews all leases of a program. A program that is frozen or cut off does not renew it, and others take its runs.

use std::{
    collections::HashMap,
    process,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use cot_store::{Lease, RunId, StoreError};
use tokio::{
    sync::OnceCell,
    task::JoinHandle,
    time::{Instant, MissedTickBehavior, interval_at, timeout_at},
};

use crate::{database::Database, driving::driven::Driven, error::OperationError};

/// The owner of the leases of an open store.
#[derive(Debug)]
pub(crate) struct Owners {
    /// Connections of its own, so that a heartbeat and a release never wait for the program's pool.
    pub(crate) db: Database,
    pub(crate) time: Duration,
    own: OnceCell<Owner>,
    leases: Mutex<Leases>,
}

/// The registered owner.
#[derive(Debug)]
struct Owner {
    id: i64,
    heartbeat: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Leases {
    held: HashMap<RunId, Arc<Held>>,
    /// The leases that were dropped, and are not yet released in the database, with their epochs.
    dropped: HashMap<RunId, u64>,
}

/// A lease that this program holds, or is about to acquire.
#[derive(Debug, Default)]
pub(crate) struct Held {
    /// 0 while it is being acquired.
    pub(crate) epoch: u64,
    /// Whether drafts were stored.
    has_drafts: AtomicBool,
    /// The run as it is in the database; `None` if that is not known.
    pub(crate) driven: tokio::sync::Mutex<Option<Driven>>,
}

impl Owners {
    pub(crate) fn new(db: Database, time: Duration) -> Self {
        Self { db, time, own: OnceCell::new(), leases: Mutex::default() }
    }

    /// Returns the id of this program among the owners; one that no owner has if it has not been registered.
    pub(crate) fn own_id(&self) -> i64 {
        self.own.get().map_or(-1, |own| own.id)
    }

    /// Returns whether this program has an id among the owners.
    pub(crate) fn is_registered(&self) -> bool {
        self.own.get().is_some()
    }

    /// Returns the id of this program among the owners. Registers it first if necessary.
    pub(crate) async fn register(&self) -> Result<i64, OperationError> {
        Ok(self.own.get_or_try_init(|| self.begin()).await?.id)
    }

    async fn begin(&self) -> Result<Owner, OperationError> {
        // Owners that nothing refers to for so long are not needed for a comparison any more.
        let sql = self.db.sql(
            "DELETE FROM cot.owners o WHERE expires < now() - interval '1 day' \
             AND NOT EXISTS (SELECT 1 FROM cot.runs r WHERE r.owner = o.id)",
        );
        sqlx::query(&sql).execute(&self.db.pool).await?;
        let sql = self.db.sql(
            "INSERT INTO cot.owners (name, expires) \
             VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond') RETURNING id",
        );
        let query = sqlx::query_scalar(&sql).bind(own_name()).bind(self.millis());
        let id = query.fetch_one(&self.db.pool).await?;
        let heartbeat = tokio::spawn(beat(self.db.clone(), id, self.time));
        Ok(Owner { id, heartbeat })
    }

    fn millis(&self) -> f64 {
        self.time.as_secs_f64() * 1e3
    }

    fn leases(&self) -> MutexGuard<'_, Leases> {
        self.leases.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves a run, so that one task of this program acquires it. Returns whether no other has it.
    pub(crate) fn reserve(&self, run: &RunId) -> bool {
        let mut leases = self.leases();
        if leases.held.contains_key(run) {
            return false;
        }
        leases.held.insert(run.clone(), Arc::default());
        true
    }

    /// Notes that a reserved run was acquired.
    pub(crate) fn hold(&self, run: &RunId, epoch: u64, driven: Driven) {
        let driven = tokio::sync::Mutex::new(Some(driven));
        let held = Held { epoch, has_drafts: AtomicBool::new(false), driven };
        let mut leases = self.leases();
        leases.dropped.remove(run);
        leases.held.insert(run.clone(), Arc::new(held));
    }

    /// Gives up a reservation.
    pub(crate) fn forget(&self, run: &RunId) {
        self.leases().held.remove(run);
    }

    /// Notes that a lease was dropped, until its release is written.
    pub(crate) fn drop_lease(&self, run: &RunId, epoch: u64) {
        let mut leases = self.leases();
        leases.dropped.insert(run.clone(), epoch);
        leases.held.remove(run);
    }

    /// Returns whether a lease was dropped, is not yet released, and was not acquired again.
    pub(crate) fn has_dropped(&self, run: &RunId, epoch: u64) -> bool {
        self.leases().dropped.get(run) == Some(&epoch)
    }

    /// Notes that a lease that was dropped is released.
    pub(crate) fn forget_dropped(&self, run: &RunId, epoch: u64) {
        let mut leases = self.leases();
        if leases.dropped.get(run) == Some(&epoch) {
            leases.dropped.remove(run);
        }
    }

    /// Returns the runs whose leases were dropped, and are not yet released in the database.
    pub(crate) fn dropped(&self) -> Vec<String> {
        self.leases().dropped.keys().map(|run| run.as_str().to_owned()).collect()
    }

    /// Returns whether this program holds no lease of a run, and acquires none.
    pub(crate) fn is_free(&self, run: &RunId) -> bool {
        !self.leases().held.contains_key(run)
    }

    /// Returns what this program knows of the run of a lease.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`] if it does not hold the lease.
    pub(crate) fn held(&self, lease: &Lease) -> Result<Arc<Held>, StoreError> {
        let held = self.leases().held.get(lease.run()).map(Arc::clone);
        let held = held.filter(|held| held.epoch == lease.epoch());
        held.ok_or_else(|| StoreError::LeaseLost { run: lease.run().clone() })
    }

    /// Notes that drafts are stored with a lease.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`] if this program does not hold it.
    pub(crate) fn note_drafts(&self, lease: &Lease) -> Result<(), StoreError> {
        self.held(lease)?.has_drafts.store(true, Ordering::Release);
        Ok(())
    }

    /// Returns whether drafts were stored with a lease.
    pub(crate) fn has_drafts(&self, lease: &Lease) -> bool {
        self.held(lease).is_ok_and(|held| held.has_drafts.load(Ordering::Acquire))
    }

    /// Returns whether this program holds a lease of this epoch.
    pub(crate) fn holds(&self, run: &RunId, epoch: u64) -> bool {
        self.leases().held.get(run).is_some_and(|held| held.epoch == epoch)
    }
}

impl Drop for Owners {
    fn drop(&mut self) {
        if let Some(own) = self.own.get() {
            own.heartbeat.abort();
        }
    }
}

/// Renews the leases of an owner until the task is ended. What can't be renewed in time is lost, which the next write
/// of a driver reports.
async fn beat(db: Database, id: i64, time: Duration) {
    let sql = db.sql(
        "INSERT INTO cot.owners (id, name, expires) \
         VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond') \
         ON CONFLICT (id) DO UPDATE SET expires = excluded.expires",
    );
    // The owner has just been registered.
    let mut ticks = interval_at(Instant::now() + time / 3, time / 3);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        // A connection without replies must not hold up the next heartbeat. What fails is tried again then.
        let end = Instant::now() + time / 3;
        let Ok(Ok(mut connection)) = timeout_at(end, db.pool.acquire()).await else { continue };
        let query = sqlx::query(&sql).bind(id).bind(own_name()).bind(time.as_secs_f64() * 1e3);
        if !matches!(timeout_at(end, query.execute(&mut *connection)).await, Ok(Ok(_))) {
            // It does not return to the pool.
            drop(connection.detach());
        }
    }
}

/// Returns the name of this program for people.
fn own_name() -> String {
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match machine.trim() {
        "" => format!("process {}", process::id()),
        machine => format!("process {} on {machine}", process::id()),
    }
}
