//! The schema of the database and its migrations.

use cot_store::StoreError;
use sqlx::{Connection as _, PgConnection, Row as _};

use crate::{
    database::Database,
    error::{OperationError, failed},
};

/// The migrations: each upgrades the version before it; the first creates the tables.
const STEPS: [&str; NEWEST as usize] = [include_str!("../schema/1.sql")];

/// The version that this crate writes.
pub(crate) const NEWEST: u32 = 1;

pub(crate) const OPENING: &str = "opening the store";

/// Creates the tables of a store or migrates them to the newest version, in a transaction.
pub(crate) async fn migrate(db: &Database) -> Result<(), OperationError> {
    let mut connection = db.pool.acquire().await?;
    if version(db, &mut connection).await? == Some(NEWEST) {
        return Ok(());
    }
    let mut transaction = connection.begin().await?;
    // Programs that start at the same time do it one after the other.
    let lock = format!("cot store {}", db.schema);
    let sql = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
    sqlx::query(sql).bind(lock).execute(&mut *transaction).await?;
    let known = version(db, &mut transaction).await?.unwrap_or(0);
    let exists = "SELECT 1 FROM pg_namespace WHERE nspname = $1";
    let exists = sqlx::query(exists).bind(&*db.schema).fetch_optional(&mut *transaction).await?;
    if exists.is_none() {
        let sql = format!("CREATE SCHEMA {}", db.schema);
        sqlx::raw_sql(&sql).execute(&mut *transaction).await?;
    }
    let sql = format!("SET LOCAL search_path TO {}", db.schema);
    sqlx::raw_sql(&sql).execute(&mut *transaction).await?;
    for (step, _) in STEPS.iter().zip(1..).filter(|(_, number)| *number > known) {
        sqlx::raw_sql(step).execute(&mut *transaction).await?;
    }
    sqlx::raw_sql("DELETE FROM meta").execute(&mut *transaction).await?;
    let newest = i32::try_from(NEWEST).unwrap_or(i32::MAX);
    sqlx::query("INSERT INTO meta (version) VALUES ($1)")
        .bind(newest)
        .execute(&mut *transaction)
        .await?;
    Ok(transaction.commit().await?)
}

/// Fails unless there is a store of the newest version.
pub(crate) async fn check_version(db: &Database) -> Result<(), OperationError> {
    let mut connection = db.pool.acquire().await?;
    match version(db, &mut connection).await? {
        Some(NEWEST) => Ok(()),
        Some(version) => {
            let why = format!("open it for writing once to migrate it to version {NEWEST}");
            Err(unsupported(version, why))
        }
        None => Err(no_store(format!("there is no schema `{}` of a store", db.schema))),
    }
}

/// Returns the version of a store; `None` if there is none.
///
/// # Errors
///
/// An error if the version is newer than this crate, or the schema belongs to another program.
async fn version(
    db: &Database,
    connection: &mut PgConnection,
) -> Result<Option<u32>, OperationError> {
    let sql = "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v') AND c.relname IN ('meta', 'runs', 'journal')";
    let tables = sqlx::query(sql).bind(&*db.schema).fetch_all(&mut *connection).await?;
    if tables.is_empty() {
        return Ok(None);
    }
    let has_meta =
        tables.iter().any(|row| row.try_get::<&str, _>(0).is_ok_and(|name| name == "meta"));
    if !has_meta || tables.len() < 3 {
        return Err(no_store(format!("the schema `{}` belongs to another program", db.schema)));
    }
    let sql = db.sql("SELECT version FROM cot.meta");
    let version: Option<i32> = sqlx::query_scalar(&sql).fetch_optional(&mut *connection).await?;
    match version.and_then(|version| u32::try_from(version).ok()) {
        Some(version) if version <= NEWEST => Ok(Some(version)),
        Some(version) => {
            let why = format!(
                "this program supports only versions up to {NEWEST}; a newer program wrote it"
            );
            Err(unsupported(version, why))
        }
        None => Err(no_store(format!("the table `{}.meta` has no version", db.schema))),
    }
}

fn unsupported(version: u32, why: String) -> OperationError {
    OperationError::Store(StoreError::UnsupportedVersion {
        what: OPENING.to_owned(),
        version,
        supported: NEWEST,
        source: why.into(),
    })
}

fn no_store(why: String) -> OperationError {
    OperationError::Store(StoreError::NotAStore { what: OPENING.to_owned(), source: why.into() })
}

/// Checks the name of a schema, which is a part of statements.
pub(crate) fn check_name(schema: &str) -> Result<(), StoreError> {
    let is_good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let begins = schema.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
    if begins && schema.len() <= 50 && schema.chars().all(is_good) {
        return Ok(());
    }
    let why = "a schema has 1 to 50 lower-case letters, digits or `_`, and begins with no digit";
    let name: String = schema.chars().take(60).collect();
    Err(failed(OPENING, &format!(": the schema can't be named {name:?}"), why))
}
