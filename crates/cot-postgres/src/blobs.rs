//! The table of blobs: the bytes of images and documents, once for all runs that refer to them.

use cot_model::{Blob, BlobSet, Digest};
use cot_store::{RunId, StoreError};
use sqlx::Row as _;

use crate::{database::Database, error::OperationError, runs::table};

/// Reads blobs of a run, and checks their digests.
pub(crate) async fn read(
    db: &Database,
    run: &RunId,
    digests: &[Digest],
) -> Result<BlobSet, OperationError> {
    let id = table::id(db, run).await?;
    let sql = db.sql(
        "SELECT digest, bytes FROM cot.blob_uses JOIN cot.blobs USING (digest) WHERE run = $1 AND digest = ANY($2)",
    );
    let wanted: Vec<_> = digests.iter().map(|digest| digest.as_bytes().as_slice()).collect();
    let rows = sqlx::query(&sql).bind(id).bind(wanted).fetch_all(&db.pool).await?;
    let mut found = std::collections::HashMap::new();
    for row in &rows {
        found.insert(row.try_get::<&[u8], _>("digest")?, row.try_get::<&[u8], _>("bytes")?);
    }
    let blob = |digest: &Digest| {
        let (run, digest) = (run.clone(), *digest);
        let Some(bytes) = found.get(digest.as_bytes().as_slice()) else {
            return Err(StoreError::MissingBlob { run, digest });
        };
        let blob = Blob::from_stored(digest, *bytes);
        blob.map_err(|source| StoreError::CorruptBlob { run, source })
    };
    Ok(digests.iter().map(blob).collect::<Result<_, _>>()?)
}
