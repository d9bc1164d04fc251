//! What SQLite says, in the words of the contract.

use std::error::Error;

use cot_core::store::StoreError;
use rusqlite::{ErrorCode, ffi};

/// Why a piece of work failed, before it is known what was being done.
#[derive(Debug)]
pub(crate) enum Problem {
    Sqlite(rusqlite::Error),
    Store(StoreError),
    /// The database is none that this program can use.
    Unusable(String),
}

impl From<rusqlite::Error> for Problem {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Problem {
    /// Something that does not become JSON.
    pub(crate) fn unwritable(what: &str, error: serde_json::Error) -> Self {
        Self::Store(failed(what, " can't be written as JSON", error))
    }

    /// The error, where `what` says what was being done.
    pub(crate) fn into_error(self, what: &str) -> StoreError {
        match self {
            Self::Sqlite(error) => from_sqlite(error, what),
            Self::Store(error) => error,
            Self::Unusable(why) => failed(what, ": it is no store that this program can use", why),
        }
    }
}

/// Another program keeps the database locked.
#[derive(Debug, Clone)]
pub(crate) struct Busy(ffi::Error, Option<String>);

impl Busy {
    pub(crate) fn of(problem: &Problem) -> Option<Self> {
        match problem {
            Problem::Sqlite(rusqlite::Error::SqliteFailure(said, words))
                if said.code == ErrorCode::DatabaseBusy =>
            {
                Some(Self(*said, words.clone()))
            }
            _ => None,
        }
    }
}

impl From<Busy> for Problem {
    fn from(Busy(said, words): Busy) -> Self {
        Self::Sqlite(rusqlite::Error::SqliteFailure(said, words))
    }
}

fn from_sqlite(error: rusqlite::Error, what: &str) -> StoreError {
    let Some(said) = error.sqlite_error().copied() else { return failed(what, "", error) };
    match said.code {
        ErrorCode::DiskFull => StoreError::Full { source: error.into() },
        // The index of the write-ahead log could not grow.
        ErrorCode::SystemIoFailure if said.extended_code == ffi::SQLITE_IOERR_SHMSIZE => {
            StoreError::Full { source: error.into() }
        }
        ErrorCode::ReadOnly => StoreError::ReadOnly { source: error.into() },
        code => failed(what, meaning(code), error),
    }
}

/// What an error code means for whoever runs the program.
const fn meaning(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::DatabaseCorrupt => {
            ": the database file is damaged; go back to a backup, or `.recover` it with the tool `sqlite3`"
        }
        ErrorCode::NotADatabase => ": the file is not a SQLite database",
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            ": another program kept the database locked for too long"
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
