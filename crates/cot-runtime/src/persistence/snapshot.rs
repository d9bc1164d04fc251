//! Snapshots in the form of a journal.

use cot_engine::{SnapshotError, internal::AnyMachine};
use cot_model::{BlobSet, internal::collect_blobs};

/// Returns a snapshot as JSON, which refers to images and documents by their digests, and their blobs.
pub(super) fn snapshot_json(machine: &dyn AnyMachine) -> Result<(String, BlobSet), SnapshotError> {
    let snapshot = machine.snapshot()?;
    let (json, blobs) = collect_blobs(|| snapshot.to_json());
    Ok((json.map_err(SnapshotError::UnwritableState)?, blobs))
}
