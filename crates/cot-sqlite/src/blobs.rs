//! The table of blobs: the bytes of images and documents, once for all runs that refer to them.

use cot_model::{Blob, BlobSet, Digest};
use cot_store::{RunId, StoreError};
use rusqlite::{Connection, OptionalExtension, params};

use crate::{column::entry_id, error::OperationError, runs::table};

/// Stores the blobs of a record of a run.
pub(crate) fn store(
    connection: &Connection,
    run: i64,
    blobs: &BlobSet,
) -> Result<(), OperationError> {
    for blob in blobs.iter() {
        let digest = blob.digest().to_string();
        let mut find = connection.prepare_cached("SELECT 1 FROM blobs WHERE digest = ?")?;
        if !find.exists([&digest])? {
            let mut add =
                connection.prepare_cached("INSERT INTO blobs (digest, bytes) VALUES (?, ?)")?;
            add.execute(params![digest, blob.bytes()])?;
        }
        let mut refer = connection
            .prepare_cached("INSERT OR IGNORE INTO blob_uses (run, digest) VALUES (?, ?)")?;
        refer.execute(params![run, digest])?;
    }
    Ok(())
}

/// Reads blobs of a run, and checks their digests.
pub(crate) fn read(
    connection: &Connection,
    run: &RunId,
    digests: &[Digest],
) -> Result<BlobSet, OperationError> {
    let id = table::id(connection, run)?;
    let mut find = connection.prepare_cached(
        "SELECT bytes FROM blob_uses JOIN blobs USING (digest) WHERE run = ? AND digest = ?",
    )?;
    let read = |digest: &Digest| {
        let (run, digest) = (run.clone(), *digest);
        let bytes: Option<Vec<u8>> =
            find.query_row(params![id, digest.to_string()], |row| row.get(0)).optional()?;
        let bytes = bytes.ok_or_else(|| StoreError::MissingBlob { run: run.clone(), digest })?;
        let blob = Blob::from_stored(digest, bytes);
        Ok(blob.map_err(|source| StoreError::CorruptBlob { run, source })?)
    };
    digests.iter().map(read).collect()
}

/// Deletes the references of a run to blobs that none of its entries contains.
pub(crate) fn drop_unused(connection: &Connection, run: i64) -> Result<(), OperationError> {
    let mut delete = connection.prepare_cached(
        "DELETE FROM blob_uses WHERE run = ? AND digest NOT IN (SELECT blobs.key FROM journal, \
         json_each(journal.body, '$.blobs') AS blobs WHERE journal.id BETWEEN ? AND ?)",
    )?;
    delete.execute(params![run, entry_id(run, 0), entry_id(run, u64::MAX)])?;
    Ok(())
}
