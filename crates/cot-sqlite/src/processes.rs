//! The table of the descriptions of processes.

use std::time::SystemTime;

use cot_store::{ProcessDescription, StoreError};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::{
    column::millis,
    error::{OperationError, failed},
};

/// Stores a description, unless that of this version is stored already.
pub(crate) fn store(
    connection: &Connection,
    description: &ProcessDescription,
) -> Result<(), OperationError> {
    let ProcessDescription { name, version, manifest, .. } = description;
    let mut statement = connection.prepare_cached(
        "INSERT INTO processes (name, version, at, manifest) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET \
         version = excluded.version, at = excluded.at, manifest = excluded.manifest \
         WHERE version != excluded.version",
    )?;
    statement.execute(params![name, version, millis(SystemTime::now()), manifest.to_string()])?;
    Ok(())
}

pub(crate) fn find(
    connection: &Connection,
    name: &str,
) -> Result<Option<ProcessDescription>, OperationError> {
    let mut statement = connection
        .prepare_cached("SELECT name, version, manifest FROM processes WHERE name = ?")?;
    statement.query_row([name], columns).optional()?.map(parse).transpose()
}

pub(crate) fn list(connection: &Connection) -> Result<Vec<ProcessDescription>, OperationError> {
    let mut statement =
        connection.prepare_cached("SELECT name, version, manifest FROM processes ORDER BY name")?;
    let rows = statement.query_map([], columns)?;
    rows.map(|row| parse(row?)).collect()
}

type Columns = (String, String, String);

fn columns(row: &Row<'_>) -> Result<Columns, rusqlite::Error> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
}

fn parse((name, version, manifest): Columns) -> Result<ProcessDescription, OperationError> {
    match serde_json::from_str(&manifest) {
        Ok(manifest) => Ok(ProcessDescription::new(name, version, manifest)),
        Err(error) => Err(unreadable(&name, error).into()),
    }
}

fn unreadable(name: &str, error: serde_json::Error) -> StoreError {
    let what = format!("reading the description of the process `{name}`");
    failed(&what, ": the stored one is not JSON", error)
}
