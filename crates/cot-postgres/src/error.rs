//! Conversion of the errors of Postgres to those of the store contract.

use std::{error::Error, sync::Arc};

use cot_store::StoreError;

/// The error of an operation, without a description of the operation.
#[derive(Debug)]
pub(crate) enum OperationError {
    Sqlx(Arc<sqlx::Error>),
    Store(StoreError),
    /// Another operation has changed what this one has read.
    Outdated,
}

impl From<sqlx::Error> for OperationError {
    fn from(error: sqlx::Error) -> Self {
        Self::Sqlx(Arc::new(error))
    }
}

impl From<StoreError> for OperationError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// What an error says about repeating the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Nothing was done, and the same operation may succeed at once: it was in the way of another one.
    Conflict,
    /// The connection was lost. It is not known whether the operation was done.
    Connection,
    /// The operation would fail again.
    Lasting,
}

impl OperationError {
    /// Converts to a store error. `what` describes the operation.
    pub(crate) fn into_error(self, what: &str) -> StoreError {
        match self {
            Self::Sqlx(error) => from_sqlx(error, what),
            Self::Store(error) => error,
            Self::Outdated => {
                let why = "other operations have changed the same run each time";
                StoreError::Locked { what: what.to_owned(), source: why.into() }
            }
        }
    }

    /// Returns the error for each of the operations that failed together. Only errors of the database are those of
    /// several.
    pub(crate) fn shared(&self) -> Self {
        match self {
            Self::Sqlx(error) => Self::Sqlx(Arc::clone(error)),
            Self::Store(_) | Self::Outdated => Self::Outdated,
        }
    }

    /// Converts the error of a pool whose time is over to one that is final. Who opens a store learns at once that there is no
    /// server.
    pub(crate) fn at_once(self, what: &str) -> Self {
        match self {
            Self::Sqlx(error) if matches!(*error, sqlx::Error::PoolTimedOut) => {
                Self::Store(from_sqlx(error, what))
            }
            other => other,
        }
    }

    pub(crate) fn trouble(&self) -> Trouble {
        match self {
            Self::Sqlx(error) => trouble(error),
            Self::Store(_) => Trouble::Lasting,
            Self::Outdated => Trouble::Conflict,
        }
    }
}

fn trouble(error: &sqlx::Error) -> Trouble {
    match error {
        sqlx::Error::Database(said) => match said.code().as_deref().unwrap_or_default() {
            // Serialization failures, deadlocks, and a blob that another transaction has begun to use.
            "40001" | "40P01" | "23503" => Trouble::Conflict,
            code if is_connection_code(code) => Trouble::Connection,
            _ => Trouble::Lasting,
        },
        // A pool says nothing else of a server that refuses connections until its time is over.
        sqlx::Error::Io(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::WorkerCrashed
        | sqlx::Error::PoolTimedOut => Trouble::Connection,
        _ => Trouble::Lasting,
    }
}

/// Returns whether a code says that the server ends, begins, or takes no more connections.
fn is_connection_code(code: &str) -> bool {
    code.starts_with("08") || matches!(code, "57P01" | "57P02" | "57P03" | "57P05" | "53300")
}

fn from_sqlx(error: Arc<sqlx::Error>, what: &str) -> StoreError {
    let what = what.to_owned();
    let code = error.as_database_error().and_then(|said| said.code()).unwrap_or_default();
    match &*code {
        "53100" | "53400" => return StoreError::Full { source: error.into() },
        "25006" => return StoreError::ReadOnly { source: error.into() },
        "42501" | "28000" | "28P01" => return StoreError::Denied { what, source: error.into() },
        "40001" | "40P01" | "55P03" | "57014" => {
            return StoreError::Locked { what, source: error.into() };
        }
        "3F000" | "42P01" => {
            let what = format!("{what}: the tables of the store are gone");
            return StoreError::Gone { what, source: error.into() };
        }
        "3D000" => return StoreError::NotAStore { what, source: error.into() },
        _ => {}
    }
    let is_unreachable = trouble(&error) == Trouble::Connection
        || matches!(*error, sqlx::Error::Tls(_) | sqlx::Error::PoolClosed);
    if is_unreachable {
        StoreError::Unreachable { what, source: error.into() }
    } else {
        failed(&what, "", error)
    }
}

pub(crate) fn failed(
    what: &str,
    why: &str,
    source: impl Into<Box<dyn Error + Send + Sync>>,
) -> StoreError {
    StoreError::Failed { what: format!("{what}{why}"), source: source.into() }
}

pub(crate) fn unwritable(what: &str, error: serde_json::Error) -> OperationError {
    OperationError::Store(failed(what, ": it can't be written as JSON", error))
}

/// The error for a column whose text can't be read.
pub(crate) fn unreadable(
    column: &str,
    source: impl Into<Box<dyn Error + Send + Sync>>,
) -> OperationError {
    sqlx::Error::ColumnDecode { index: column.to_owned(), source: source.into() }.into()
}
