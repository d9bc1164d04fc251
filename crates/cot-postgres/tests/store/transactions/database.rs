//! The connection of Postgres.

pub(super) use sqlx::{Error, PgConnection as Connection};

/// Writes a row of the program. Postgres refuses a text with a NUL.
pub(super) async fn insert(db: &mut Connection, key: &str) -> Result<(), Error> {
    sqlx::query("INSERT INTO effects (key) VALUES ($1)").bind(key).execute(db).await.map(drop)
}
