//! The table of leases.

use std::{io, sync::atomic::Ordering, time::SystemTime};

use cot_core::store::{RunId, StoreError};
use rusqlite::{Connection, OptionalExtension, params};

use crate::{
    column::millis,
    desk::Desk,
    error::{Problem, failed},
    owner::Owners,
};

/// Takes a run. Gives the epoch of the lease.
pub(crate) fn acquire(
    connection: &Connection,
    owners: &Owners,
    run: &RunId,
) -> Result<u64, Problem> {
    refuse_driven(connection, owners, run)?;
    let me = owners.me().map_err(file_problem)?;
    connection.prepare_cached("DELETE FROM leases WHERE run = ?")?.execute([run.as_str()])?;
    // A number that was given and undone with its transaction is not given again: its holder gives it back.
    let mut statement = connection.prepare_cached(
        "INSERT INTO leases (epoch, run, owner, since) SELECT \
         MAX(?, COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'leases'), 0)) + 1, ?, ?, ?",
    )?;
    let (newest, now) = (owners.newest().cast_signed(), millis(SystemTime::now()));
    let epoch = statement.insert(params![newest, run.as_str(), me, now])?.cast_unsigned();
    owners.hold(epoch);
    Ok(epoch)
}

/// An error while somebody drives the run.
pub(crate) fn refuse_driven(
    connection: &Connection,
    owners: &Owners,
    run: &RunId,
) -> Result<(), Problem> {
    let mut statement =
        connection.prepare_cached("SELECT owner, epoch FROM leases WHERE run = ?")?;
    let lease = statement.query_row([run.as_str()], |row| Ok((row.get(0)?, row.get(1)?)));
    let Some((owner, epoch)): Option<(String, i64)> = lease.optional()? else { return Ok(()) };
    let holder = owners.holder(&owner, epoch.cast_unsigned());
    match holder.map_err(|error| failed("looking for the driver of a run", "", error))? {
        Some(by) => Err(StoreError::Leased { run: run.clone(), by }.into()),
        None => Ok(()),
    }
}

/// Gives back what is owed, up to some place in the order.
pub(crate) fn give_back(desk: &mut Desk, until: u64) -> Result<(), Problem> {
    let Desk { connection, driven, owners, owed, .. } = desk;
    for epoch in owed.until(until) {
        let epoch = epoch.load(Ordering::Acquire);
        if epoch != 0 {
            // Once more, as it may have been taken after it was given up.
            owners.let_go(epoch);
            driven.forget_lease(epoch);
            release(connection, owners, epoch)?;
        }
    }
    owed.delete(until);
    Ok(())
}

/// Gives a lease of this store back.
fn release(connection: &Connection, owners: &Owners, epoch: u64) -> Result<(), Problem> {
    let me = owners.me().map_err(file_problem)?;
    let mut statement =
        connection.prepare_cached("DELETE FROM leases WHERE epoch = ? AND owner = ?")?;
    statement.execute(params![epoch.cast_signed(), me])?;
    Ok(())
}

/// An error when the lease has been given back, or somebody has taken the run since.
pub(crate) fn check(connection: &Connection, run: &RunId, epoch: u64) -> Result<(), Problem> {
    let mut statement =
        connection.prepare_cached("SELECT 1 FROM leases WHERE epoch = ? AND run = ?")?;
    if statement.exists(params![epoch.cast_signed(), run.as_str()])? {
        Ok(())
    } else {
        Err(StoreError::LeaseLost { run: run.clone() }.into())
    }
}

fn file_problem(error: io::Error) -> Problem {
    let what = "taking a run, with a locked file beside the database";
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
        let lost = acquire(&transaction, &owners, &undone).unwrap();
        transaction.rollback().unwrap();
        let epoch = acquire(&connection, &owners, &kept).unwrap();
        // Whoever wanted the first drops what it has got of it.
        owners.let_go(lost);
        release(&connection, &owners, lost).unwrap();

        check(&connection, &kept, epoch).unwrap();
        assert!(matches!(
            refuse_driven(&connection, &owners, &kept),
            Err(Problem::Store(StoreError::Leased { .. }))
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
        let lost = acquire(&transaction, &mine, &run).unwrap();
        transaction.rollback().unwrap();
        let epoch = acquire(&connection, &others, &run).unwrap();
        release(&connection, &mine, lost).unwrap();
        check(&connection, &run, epoch).unwrap();
    }
}
