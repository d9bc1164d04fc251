//! The table of the descriptions of processes.

use std::time::SystemTime;

use cot_store::{ProcessDescription, internal::millis};
use sqlx::{Row as _, postgres::PgRow};

use crate::{
    column::text,
    database::Database,
    error::{OperationError, unreadable},
    text::escape,
};

/// Stores a description, unless that of this version is stored already.
pub(crate) async fn store(
    db: &Database,
    description: &ProcessDescription,
) -> Result<(), OperationError> {
    let ProcessDescription { name, version, manifest, .. } = description;
    let sql = db.sql(
        "INSERT INTO cot.processes AS known (name, version, at, manifest) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (name) DO UPDATE SET version = excluded.version, at = excluded.at, manifest = excluded.manifest \
         WHERE known.version <> excluded.version",
    );
    let query = sqlx::query(&sql).bind(escape(name)).bind(escape(version));
    let query = query.bind(millis(SystemTime::now())).bind(manifest.to_string());
    query.execute(&db.pool).await?;
    Ok(())
}

pub(crate) async fn find(
    db: &Database,
    name: &str,
) -> Result<Option<ProcessDescription>, OperationError> {
    let sql = db.sql("SELECT name, version, manifest FROM cot.processes WHERE name = $1");
    let row = sqlx::query(&sql).bind(escape(name)).fetch_optional(&db.pool).await?;
    row.map(|row| parse(&row)).transpose()
}

pub(crate) async fn list(db: &Database) -> Result<Vec<ProcessDescription>, OperationError> {
    let sql = db.sql("SELECT name, version, manifest FROM cot.processes ORDER BY name");
    sqlx::query(&sql).fetch_all(&db.pool).await?.iter().map(parse).collect()
}

fn parse(row: &PgRow) -> Result<ProcessDescription, OperationError> {
    let manifest = serde_json::from_str(row.try_get("manifest")?);
    let manifest = manifest.map_err(|error| unreadable("manifest", error))?;
    Ok(ProcessDescription::new(text(row, "name")?, text(row, "version")?, manifest))
}
