//! The chain of hashes from entry to entry.

use cot_store::EntryHash;
use rusqlite::{Connection, OptionalExtension};

use crate::{column::entry_id, error::OperationError};

/// Returns the hash of the last entry before a number; `None` if there is none.
pub(crate) fn hash_before(
    connection: &Connection,
    id: i64,
    number: u64,
) -> Result<Option<EntryHash>, OperationError> {
    let mut statement = connection.prepare_cached(
        "SELECT hash FROM journal WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1",
    )?;
    let hash = statement.query_row([entry_id(id, 0), entry_id(id, number)], |row| {
        Ok(row.get_ref(0)?.as_blob().ok().and_then(EntryHash::from_bytes))
    });
    Ok(hash.optional()?.flatten())
}
