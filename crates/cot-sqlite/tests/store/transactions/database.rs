//! The connection of SQLite.

pub(super) use rusqlite::{Connection, Error};

/// Writes a row of the program. A key with a NUL is refused.
pub(super) async fn insert(db: &mut Connection, key: &str) -> Result<(), Error> {
    if key.contains('\0') {
        return Err(Error::InvalidQuery);
    }
    db.execute("INSERT INTO effects (key) VALUES (?)", [key]).map(drop)
}

/// What the refusal of such a key says.
pub(super) const REFUSED: &str = "Query is not read-only";

/// Commits, which a function must not do, and begins another transaction.
pub(super) async fn end(db: &mut Connection) -> Result<(), Error> {
    // It fails.
    let _ = db.execute_batch("COMMIT");
    db.execute_batch("BEGIN")
}
