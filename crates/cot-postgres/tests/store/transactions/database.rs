//! The connection of Postgres.

use sqlx::Executor as _;
pub(super) use sqlx::{Error, PgConnection as Connection};

/// Writes a row of the program. Postgres refuses a text with a NUL.
pub(super) async fn insert(db: &mut Connection, key: &str) -> Result<(), Error> {
    sqlx::query("INSERT INTO effects (key) VALUES ($1)").bind(key).execute(db).await.map(drop)
}

/// What the refusal of such a key says.
pub(super) const REFUSED: &str = "invalid byte sequence";

/// Commits, which a function must not do.
pub(super) async fn end(db: &mut Connection) -> Result<(), Error> {
    db.execute("COMMIT").await.map(drop)
}
