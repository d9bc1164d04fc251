//! The leases of runs.

use std::sync::Arc;

use cot_store::{Lease, RunId, StoreError};
use tokio::{runtime::Handle, time::sleep};

use crate::{
    database::Database,
    driving::{driven::Driven, owners::Owners},
    error::OperationError,
    runs::table::{COLUMNS, OWNER, StoredRun, find_row},
};

/// The condition that no driver has the run of a row `r`: none was given the lease, this program `$2` has dropped it
/// (`$3`), or its owner has expired. The rows of owners are kept longer than their leases, so that one which has just
/// been registered is never taken for a dead one.
pub(crate) const IS_FREE: &str = "(r.owner IS NULL OR r.owner = $2 AND $3 \
    OR EXISTS (SELECT 1 FROM cot.owners o WHERE o.id = r.owner AND o.expires <= clock_timestamp()))";

/// Stands for the epoch of a lease whose acquisition was not heard of.
const UNKNOWN_EPOCH: u64 = 0;

const ACQUIRING: &str = "acquiring the lease of a run";

/// Acquires the lease of a run. A run that does not exist gets a row that has but its name.
pub(crate) async fn acquire(
    db: &Database,
    owners: &Arc<Owners>,
    run: &RunId,
) -> Result<Lease, StoreError> {
    if !owners.reserve(run) {
        return Err(StoreError::Leased { run: run.clone(), by: "this program".to_owned() });
    }
    // In a task of its own, since it is to be completed or undone even if the caller is gone.
    let (db, owners, run) = (db.clone(), Arc::clone(owners), run.clone());
    let acquired = tokio::spawn(async move {
        let found = db.attempt(ACQUIRING, |_| try_acquire(&db, &owners, &run)).await;
        let known = match found {
            Ok(known) => known,
            Err(error) => {
                give_up(owners, run, &error);
                return Err(error);
            }
        };
        let StoredRun { epoch, crashes, .. } = known;
        let crashes = if known.summary.is_some() { crashes } else { 0 };
        owners.hold(&run, epoch, Driven::new(known));
        let guard = LeaseGuard { owners, run: run.clone(), epoch, runtime: Handle::current() };
        Ok(Lease::new(run, epoch, guard).with_crashes(crashes))
    });
    acquired.await.map_err(|error| crate::error::failed(ACQUIRING, "", error))?
}

async fn try_acquire(
    db: &Database,
    owners: &Owners,
    run: &RunId,
) -> Result<StoredRun, OperationError> {
    let own = owners.register().await?;
    let sql = db.sql(format!(
        "WITH r AS (
            INSERT INTO cot.runs AS r (run, owner, epoch) VALUES ($1, $2, nextval('cot.epochs'))
            ON CONFLICT (run) DO UPDATE SET owner = excluded.owner, epoch = excluded.epoch,
                crashes = CASE WHEN r.crash_entries = r.entries THEN r.crashes ELSE 0 END
                    + CASE WHEN r.owner <> $2 THEN 1 ELSE 0 END,
                crash_entries = r.entries
            WHERE {IS_FREE} RETURNING *
        ) SELECT {COLUMNS} FROM r {OWNER}"
    ));
    // The reservation means that a lease of this program was dropped, or that its acquisition was not heard of.
    let query = sqlx::query(&sql).bind(run.as_str()).bind(own).bind(true);
    match query.fetch_optional(&db.pool).await? {
        Some(row) => StoredRun::from_row(&row),
        None => Err(leased(db, run).await?.into()),
    }
}

/// Returns the error that another program drives a run.
pub(crate) async fn leased(db: &Database, run: &RunId) -> Result<StoreError, OperationError> {
    let known = find_row(db, run).await?;
    let by = known.and_then(|known| known.owner_name);
    let by = by.unwrap_or_else(|| "another program".to_owned());
    Ok(StoreError::Leased { run: run.clone(), by })
}

/// Reads the run of a lease.
///
/// # Errors
///
/// [`StoreError::LeaseLost`] if another driver has acquired it.
pub(crate) async fn load(
    db: &Database,
    run: &RunId,
    epoch: u64,
) -> Result<StoredRun, OperationError> {
    let known = find_row(db, run).await?.filter(|known| known.epoch == epoch);
    Ok(known.ok_or_else(|| StoreError::LeaseLost { run: run.clone() })?)
}

/// Gives up the reservation of a run that could not be acquired.
fn give_up(owners: Arc<Owners>, run: RunId, error: &StoreError) {
    if matches!(error, StoreError::Leased { .. }) || !owners.is_registered() {
        owners.forget(&run);
    } else {
        // It may have been acquired without this program having heard of it.
        owners.drop_lease(&run, UNKNOWN_EPOCH);
        tokio::spawn(release_dropped(owners, run, UNKNOWN_EPOCH));
    }
}

/// Releases a lease when it is dropped.
struct LeaseGuard {
    owners: Arc<Owners>,
    run: RunId,
    epoch: u64,
    runtime: Handle,
}

impl Drop for LeaseGuard {
    fn drop(&mut self) {
        self.owners.drop_lease(&self.run, self.epoch);
        let owners = Arc::clone(&self.owners);
        self.runtime.spawn(release_dropped(owners, self.run.clone(), self.epoch));
    }
}

/// Releases a lease that was dropped, and tries again as often as there are heartbeats: these would keep it from expiring.
async fn release_dropped(owners: Arc<Owners>, run: RunId, epoch: u64) {
    let pause = owners.time / 3;
    let mut owners = owners;
    while owners.has_dropped(&run, epoch) {
        let release = |_| release(&owners, &run, epoch);
        if owners.db.attempt("releasing a run", release).await.is_ok_and(|is_done| is_done) {
            return owners.forget_dropped(&run, epoch);
        }
        // A store that is gone has no heartbeat: then the lease expires.
        let weak = Arc::downgrade(&owners);
        drop(owners);
        sleep(pause).await;
        let Some(known) = weak.upgrade() else { return };
        owners = known;
    }
}

/// Releases a lease. Returns whether this program has no such lease any more.
async fn release(owners: &Owners, run: &RunId, epoch: u64) -> Result<bool, OperationError> {
    if epoch != UNKNOWN_EPOCH {
        release_epoch(owners, run, epoch, true).await?;
        return Ok(true);
    }
    let known = find_row(&owners.db, run).await?;
    let own = owners.own_id();
    let Some(known) = known.filter(|known| known.owner == Some(own)) else { return Ok(true) };
    // Read before: so it is not the epoch of a lease that is being acquired at this moment.
    if !owners.is_free(run) {
        return Ok(false);
    }
    release_epoch(owners, run, known.epoch, false).await?;
    Ok(true)
}

/// Releases the lease of an epoch. Its driver has not crashed; if there was none, earlier crashes still count.
async fn release_epoch(
    owners: &Owners,
    run: &RunId,
    epoch: u64,
    was_driven: bool,
) -> Result<(), OperationError> {
    let sql = owners.db.sql(
        "WITH name AS (DELETE FROM cot.runs WHERE run = $1 AND epoch = $2 AND owner = $3 AND status IS NULL)
        UPDATE cot.runs SET owner = NULL, crashes = CASE WHEN $4 THEN 0 ELSE crashes END
        WHERE run = $1 AND epoch = $2 AND owner = $3 AND status IS NOT NULL",
    );
    let query = sqlx::query(&sql).bind(run.as_str()).bind(epoch.cast_signed());
    query.bind(owners.own_id()).bind(was_driven).execute(&owners.db.pool).await?;
    Ok(())
}

/// Returns the living owner of a row, unless it is this program and has dropped the lease.
pub(crate) fn driver(owners: &Owners, known: &StoredRun) -> Option<String> {
    let name = known.owner_name.clone()?;
    if known.owner == Some(owners.own_id()) {
        let run = &known.summary.as_ref()?.run;
        return owners.holds(run, known.epoch).then(|| "this program".to_owned());
    }
    Some(name)
}
