//! The connection of SQLite.

pub(super) use rusqlite::{Connection, Error};

/// Writes a row of the program. A key with a NUL is refused.
pub(super) async fn insert(db: &mut Connection, key: &str) -> Result<(), Error> {
    if key.contains('\0') {
        return Err(Error::InvalidQuery);
    }
    db.execute("INSERT INTO effects (key) VALUES (?)", [key]).map(drop)
}
