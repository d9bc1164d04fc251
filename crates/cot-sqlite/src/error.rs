//! Conversion of SQLite's errors to those of the store contract.

use std::{error::Error, io};

use cot_store::StoreError;
use rusqlite::{ErrorCode, ffi};

use crate::version;

/// The error of a database operation, without a description of the operation.
#[derive(Debug)]
pub(crate) enum OperationError {
    Sqlite(rusqlite::Error),
    Store(StoreError),
    /// The file is no store.
    Foreign(String),
    /// The schema has a version that can't be used, and why.
    Version(u32, String),
    /// The file was deleted or replaced, as the first text says.
    Gone(String, io::Error),
}

impl From<rusqlite::Error> for OperationError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<StoreError> for OperationError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl OperationError {
    /// Creates the error for a value that can't be serialized to JSON.
    pub(crate) fn unwritable(what: &str, error: serde_json::Error) -> Self {
        Self::Store(failed(what, " can't be written as JSON", error))
    }

    /// Converts to a store error. `what` describes the operation.
    pub(crate) fn into_error(self, what: &str) -> StoreError {
        match self {
            Self::Sqlite(error) => from_sqlite(error, what),
            Self::Store(error) => error,
            Self::Foreign(why) => {
                StoreError::NotAStore { what: what.to_owned(), source: why.into() }
            }
            Self::Version(version, why) => StoreError::UnsupportedVersion {
                what: what.to_owned(),
                version,
                supported: version::NEWEST,
                source: why.into(),
            },
            Self::Gone(why, source) => {
                StoreError::Gone { what: format!("{what}: {why}"), source: source.into() }
            }
        }
    }
}

/// The error of an operation that another program's database lock prevented.
#[derive(Debug, Clone)]
pub(crate) struct BusyError(ffi::Error, Option<String>);

impl BusyError {
    pub(crate) fn from_operation(error: &OperationError) -> Option<Self> {
        match error {
            OperationError::Sqlite(rusqlite::Error::SqliteFailure(said, words))
                if said.code == ErrorCode::DatabaseBusy =>
            {
                Some(Self(*said, words.clone()))
            }
            _ => None,
        }
    }
}

impl From<BusyError> for OperationError {
    fn from(BusyError(said, words): BusyError) -> Self {
        Self::Sqlite(rusqlite::Error::SqliteFailure(said, words))
    }
}

fn from_sqlite(error: rusqlite::Error, what: &str) -> StoreError {
    let Some(said) = error.sqlite_error().copied() else { return failed(what, "", error) };
    match said.code {
        ErrorCode::DiskFull => StoreError::Full { source: error.into() },
        // The index of the write-ahead log could not be extended.
        ErrorCode::SystemIoFailure if said.extended_code == ffi::SQLITE_IOERR_SHMSIZE => {
            StoreError::Full { source: error.into() }
        }
        ErrorCode::ReadOnly => StoreError::ReadOnly { source: error.into() },
        ErrorCode::NotADatabase => {
            let why = format!("the file is not a SQLite database ({error})");
            StoreError::NotAStore { what: what.to_owned(), source: why.into() }
        }
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            StoreError::Locked { what: what.to_owned(), source: error.into() }
        }
        code => failed(what, meaning(code), error),
    }
}

/// Explains an error code to the operator of the program.
const fn meaning(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::DatabaseCorrupt => {
            ": the database file is damaged; go back to a backup, or `.recover` it with the tool `sqlite3`"
        }
        ErrorCode::CannotOpen => {
            ": a file of the database can't be opened; does its folder exist, and may this program write there?"
        }
        _ => "",
    }
}

pub(crate) fn failed(
    what: &str,
    why: &str,
    source: impl Into<Box<dyn Error + Send + Sync>>,
) -> StoreError {
    StoreError::Failed { what: format!("{what}{why}"), source: source.into() }
}
