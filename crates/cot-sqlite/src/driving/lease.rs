//! The table of leases.

use std::{io, sync::atomic::Ordering, time::SystemTime};

use cot_store::{RunId, StoreError};
use rusqlite::{Connection, OptionalExtension, params};

use crate::{
    column::millis,
    driving::{crash, owner::Owners},
    error::{OperationError, failed},
    writing::write_connection::WriteConnection,
};

/// Acquires the lease of a run. Returns its epoch, and how many programs have died with a lease of the run.
pub(crate) fn acquire(
    connection: &Connection,
    owners: &Owners,
    run: &RunId,
) -> Result<(u64, u32), OperationError> {
    let has_crashed = match last_owner(connection, owners, run)? {
        Some((_, Some(by))) => return Err(StoreError::Leased { run: run.clone(), by }.into()),
        Some((owner, None)) => !owners.is_own(&owner),
        None => false,
    };
    let crashes = crash::record(connection, run, has_crashed)?;
    let own_id = owners.own_id().map_err(lock_file_error)?;
    connection.prepare_cached("DELETE FROM leases WHERE run = ?")?.execute([run.as_str()])?;
    // An epoch whose transaction was rolled back is not reused, since its guard releases it later.
    let mut statement = connection.prepare_cached(
        "INSERT INTO leases (epoch, run, owner, since) SELECT \
         MAX(?, COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'leases'), 0)) + 1, ?, ?, ?",
    )?;
    let (newest, now) = (owners.newest().cast_signed(), millis(SystemTime::now()));
    let epoch = statement.insert(params![newest, run.as_str(), own_id, now])?.cast_unsigned();
    owners.hold(epoch);
    Ok((epoch, crashes))
}

/// Fails while the run is driven.
pub(crate) fn refuse_driven(
    connection: &Connection,
    owners: &Owners,
    run: &RunId,
) -> Result<(), OperationError> {
    match last_owner(connection, owners, run)? {
        Some((_, Some(by))) => Err(StoreError::Leased { run: run.clone(), by }.into()),
        _ => Ok(()),
    }
}

/// Returns the owner of the lease of a run, if there is one, and the description of the owner if it is alive.
fn last_owner(
    connection: &Connection,
    owners: &Owners,
    run: &RunId,
) -> Result<Option<(String, Option<String>)>, OperationError> {
    let Some((owner, epoch)) = find(connection, run)? else { return Ok(None) };
    let holder = owners.holder(&owner, epoch);
    let holder = holder.map_err(|error| failed("looking for the driver of a run", "", error))?;
    Ok(Some((owner, holder)))
}

/// Returns the owner and the epoch of the lease of a run, whether or not the owner is alive.
pub(crate) fn find(
    connection: &Connection,
    run: &RunId,
) -> Result<Option<(String, u64)>, OperationError> {
    let mut statement =
        connection.prepare_cached("SELECT owner, epoch FROM leases WHERE run = ?")?;
    let lease = statement
        .query_row([run.as_str()], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.cast_unsigned())));
    Ok(lease.optional()?)
}

/// Releases the pending leases up to a position in their order.
pub(crate) fn release_pending(db: &mut WriteConnection, until: u64) -> Result<(), OperationError> {
    let WriteConnection { connection, cache, owners, releases, .. } = db;
    for epoch in releases.until(until) {
        let epoch = epoch.load(Ordering::Acquire);
        if epoch != 0 {
            // The lease may have been acquired after its guard was dropped.
            owners.forget(epoch);
            cache.remove_lease(epoch);
            release(connection, owners, epoch)?;
        }
    }
    releases.delete(until);
    Ok(())
}

/// Deletes a lease of this store.
fn release(connection: &Connection, owners: &Owners, epoch: u64) -> Result<(), OperationError> {
    let own_id = owners.own_id().map_err(lock_file_error)?;
    let mut statement = connection
        .prepare_cached("DELETE FROM leases WHERE epoch = ? AND owner = ? RETURNING run")?;
    let run =
        statement.query_row(params![epoch.cast_signed(), own_id], |row| row.get::<_, String>(0));
    if let Some(run) = run.optional()? {
        crash::forget(connection, &run)?;
    }
    Ok(())
}

/// Fails if the lease was released, or the run was acquired again.
pub(crate) fn check(
    connection: &Connection,
    run: &RunId,
    epoch: u64,
) -> Result<(), OperationError> {
    let mut statement =
        connection.prepare_cached("SELECT 1 FROM leases WHERE epoch = ? AND run = ?")?;
    if statement.exists(params![epoch.cast_signed(), run.as_str()])? {
        Ok(())
    } else {
        Err(StoreError::LeaseLost { run: run.clone() }.into())
    }
}

/// Converts the error of a file beside the database.
pub(crate) fn lock_file_error(error: io::Error) -> OperationError {
    let what = "writing a file of a lease beside the database";
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            StoreError::Full { source: error.into() }.into()
        }
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
            StoreError::ReadOnly { source: error.into() }.into()
        }
        _ => failed(what, "", error).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_that_was_undone_gives_no_other_back() {
        let place = tempfile::tempdir().unwrap();
        let mut connection = Connection::open_in_memory().unwrap();
        crate::schema::migrate(&mut connection).unwrap();
        let owners = Owners::beside(&place.path().join("runs.db"));
        let (undone, kept): (RunId, RunId) = ("undone".parse().unwrap(), "kept".parse().unwrap());

        let transaction = connection.transaction().unwrap();
        let (lost, _) = acquire(&transaction, &owners, &undone).unwrap();
        transaction.rollback().unwrap();
        let (epoch, _) = acquire(&connection, &owners, &kept).unwrap();
        // Its guard releases the first one.
        owners.forget(lost);
        release(&connection, &owners, lost).unwrap();

        check(&connection, &kept, epoch).unwrap();
        assert!(matches!(
            refuse_driven(&connection, &owners, &kept),
            Err(OperationError::Store(StoreError::Leased { .. }))
        ));
    }

    #[test]
    fn nobody_gives_back_the_lease_of_another_store() {
        let place = tempfile::tempdir().unwrap();
        let mut connection = Connection::open_in_memory().unwrap();
        crate::schema::migrate(&mut connection).unwrap();
        let [mine, others] = [(); 2].map(|()| Owners::beside(&place.path().join("runs.db")));
        let run: RunId = "run".parse().unwrap();

        let transaction = connection.transaction().unwrap();
        let (lost, _) = acquire(&transaction, &mine, &run).unwrap();
        transaction.rollback().unwrap();
        let (epoch, _) = acquire(&connection, &others, &run).unwrap();
        release(&connection, &mine, lost).unwrap();
        check(&connection, &run, epoch).unwrap();
    }
}
