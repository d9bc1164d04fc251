//! The schema of the database, and how older ones become it.

use rusqlite::Connection;

use crate::error::Problem;

/// What makes each version of the version before; the first of an empty database.
const STEPS: [&str; NEWEST as usize] = [include_str!("../schema/1.sql")];

/// The newest version.
const NEWEST: u32 = 1;

/// Stands in the file for "a store of runs": `cots`.
const APPLICATION: i32 = 0x636f_7473;

/// Brings a database to the newest version. Nobody else changes it meanwhile.
pub(crate) fn migrate(connection: &mut Connection) -> Result<(), Problem> {
    if version(connection)? == STEPS.len() {
        return Ok(());
    }
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    // Somebody else may have been quicker.
    let version = version(&transaction)?;
    for step in STEPS.iter().skip(version) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", NEWEST)?;
    Ok(transaction.commit()?)
}

/// The version of a database, 0 for an empty one.
///
/// # Errors
///
/// When it is newer than what is known here, or belongs to another program.
pub(crate) fn version(connection: &Connection) -> Result<usize, Problem> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    let tables: i64 =
        connection.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if application != APPLICATION && (application, version, tables) != (0, 0, 0) {
        return Err(Problem::Unusable("it belongs to another program".to_owned()));
    }
    let known = usize::try_from(version).ok().filter(|version| *version <= STEPS.len());
    known.ok_or_else(|| {
        let newest = STEPS.len();
        Problem::Unusable(format!(
            "its schema has version {version}, and this program knows those up to {newest}; a newer program wrote it"
        ))
    })
}

/// An error when a database that may not be changed is not of the newest version.
pub(crate) fn usable(connection: &Connection) -> Result<(), Problem> {
    let version = version(connection)?;
    if version == STEPS.len() {
        return Ok(());
    }
    Err(Problem::Unusable(format!(
        "its schema has version {version}; open it once for writing, so that it becomes version {}",
        STEPS.len()
    )))
}
