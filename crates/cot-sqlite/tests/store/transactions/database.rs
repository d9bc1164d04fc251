//! The connection of SQLite.

pub(super) use rusqlite::{Connection, Error};

/// Writes a row of the program. A key with a NUL is refused.
pub(super) async fn insert(db: &mut Connection, key: &str) -> Result<(), Error> {
    if key.contains('\0') {
        return Err(Error::InvalidQuery);
    }
    db.execute("INSERT INTO effects (key) VALUES (?)", [key]).map(drop)
}

/// Commits, which a function must not do.
pub(super) async fn end(db: &mut Connection) -> Result<(), Error> {
    db.execute_batch("COMMIT")
}
