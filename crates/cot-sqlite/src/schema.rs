//! The schema of the database and its migrations.

use rusqlite::Connection;

use crate::{error::OperationError, version::NEWEST};

/// The migrations: each upgrades the version before it; the first creates the tables.
const STEPS: [&str; NEWEST as usize] = [include_str!("../schema/1.sql")];

/// The application id of a store's database file: `cotj`. Files with `cots` were written before the first release.
const APPLICATION: i32 = 0x636f_746a;

/// Migrates a database to the newest version, in a transaction.
pub(crate) fn migrate(connection: &mut Connection) -> Result<(), OperationError> {
    if version(connection)? == NEWEST {
        return Ok(());
    }
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    // Another program may have migrated it already.
    let version = version(&transaction)?;
    for (step, _) in STEPS.iter().zip(1..).filter(|(_, number)| *number > version) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", NEWEST)?;
    Ok(transaction.commit()?)
}

/// Returns the version of a database, 0 for an empty one.
///
/// # Errors
///
/// Returns an error if the version is newer than this crate, or the database belongs to another
/// program.
pub(crate) fn version(connection: &Connection) -> Result<u32, OperationError> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    let tables: i64 =
        connection.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if application != APPLICATION && (application, version, tables) != (0, 0, 0) {
        return Err(OperationError::Foreign("it belongs to another program".to_owned()));
    }
    match u32::try_from(version) {
        Ok(version) if version <= NEWEST => Ok(version),
        version => Err(OperationError::Version(
            version.unwrap_or(u32::MAX),
            format!("this program supports only versions up to {NEWEST}; a newer program wrote it"),
        )),
    }
}

/// Fails if a read-only database is not of the newest version.
pub(crate) fn check_version(connection: &Connection) -> Result<(), OperationError> {
    match version(connection)? {
        NEWEST => Ok(()),
        version => Err(OperationError::Version(
            version,
            format!("open it for writing once to migrate it to version {NEWEST}"),
        )),
    }
}
