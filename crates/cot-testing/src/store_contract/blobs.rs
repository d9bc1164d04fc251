//! Checks of images and documents.

use cot_model::{Blob, BlobSet, Digest};
use cot_store::{Record, RunId, Store, StoreError};

use super::{
    records::{full_step, running, started},
    support::{append, assert_error, assert_unknown_run, create_run, entries, id, ok, to_json},
};

/// Adds blobs with these bytes to a record.
fn with_blobs<const N: usize>(mut record: Record, bytes: [&[u8]; N]) -> Record {
    let blobs = bytes.into_iter().map(Blob::new).collect();
    match &mut record {
        Record::Begun(begun) => begun.blobs = blobs,
        Record::Step(step) => step.blobs = blobs,
        Record::Submitted(_) => {}
        Record::Event(_) => {}
    }
    record
}

#[track_caller]
fn assert_blobs(read: Result<BlobSet, StoreError>, bytes: &[&[u8]]) {
    let read = ok(read, "read blobs");
    assert_eq!(read.iter().count(), bytes.len(), "the requested blobs are returned");
    for bytes in bytes {
        let found = read.get(Digest::from_bytes(bytes)).map(Blob::bytes);
        assert_eq!(found, Some(*bytes), "a blob has changed");
    }
}

#[track_caller]
fn assert_missing(read: Result<BlobSet, StoreError>, run: &RunId, digest: Digest) {
    let is_right = |error: &StoreError| match error {
        StoreError::MissingBlob { run: of, digest: missing } => (of, *missing) == (run, digest),
        _ => false,
    };
    assert_error(read, is_right, "`MissingBlob` with the run and the digest");
}

pub(super) async fn are_read_by_their_digest(store: &dyn Store) {
    let (one, two, three) = (b"one".as_slice(), [0xff, 0, b'"'].as_slice(), vec![7; 300_000]);
    let digests = [one, two, &three].map(Digest::from_bytes);
    let begun = with_blobs(started(), [one, two]);
    let (run, lease) = create_run(store, "run", vec![begun, full_step(1)]).await;
    // A blob that an earlier record contains may be appended again.
    append(store, &lease, vec![with_blobs(full_step(2), [&three, one])]).await;
    assert_blobs(store.blobs(&run, &digests).await, &[one, two, &three]);
    assert_blobs(store.blobs(&run, &digests[2..]).await, &[&three]);
    assert_blobs(store.blobs(&run, &[]).await, &[]);
    assert_unknown_run(store.blobs(&id("no-run"), &digests).await);
    assert_missing(
        store.blobs(&run, &[digests[0], Digest::from_bytes(b"none")]).await,
        &run,
        Digest::from_bytes(b"none"),
    );
    // The other data of the records are unchanged.
    let entries = entries(store, &run).await;
    let without = |record: &Record| to_json(&with_blobs(record.clone(), []));
    let records: Vec<String> = entries.iter().map(|entry| without(&entry.record)).collect();
    assert_eq!(records, [started(), full_step(1), full_step(2)].map(|record| to_json(&record)));
}

pub(super) async fn belong_to_their_runs(store: &dyn Store) {
    let (shared, own) = (b"shared".as_slice(), b"own".as_slice());
    let digests = [shared, own].map(Digest::from_bytes);
    let (run, lease) = create_run(store, "run", vec![with_blobs(started(), [shared, own])]).await;
    let (other, _lease) = create_run(store, "other", vec![with_blobs(started(), [shared])]).await;
    assert_missing(store.blobs(&other, &digests).await, &other, digests[1]);
    drop(lease);
    ok(store.remove(&run).await, "remove a run");
    assert_unknown_run(store.blobs(&run, &digests).await);
    assert_blobs(store.blobs(&other, &digests[..1]).await, &[shared]);

    // A new run of the same name has no blobs of the old one.
    let (run, _lease) = create_run(store, "run", vec![started()]).await;
    assert_missing(store.blobs(&run, &digests).await, &run, digests[0]);
}

pub(super) async fn are_appended_with_their_records(store: &dyn Store) {
    let (run, lease) = create_run(store, "run", vec![started()]).await;
    let digest = Digest::from_bytes(b"lost");
    let records = vec![with_blobs(full_step(1), [b"lost"]), started()];
    let refused = store.append(&lease, records).await;
    assert_error(refused, |error| matches!(error, StoreError::RunExists { .. }), "`RunExists`");
    assert_missing(store.blobs(&run, &[digest]).await, &run, digest);
    append(store, &lease, vec![with_blobs(full_step(1), [b"lost"])]).await;
    assert_blobs(store.blobs(&run, &[digest]).await, &[b"lost"]);
    let status = ok(store.run(&run).await, "load a summary").map(|run| run.status);
    assert_eq!(status, Some(running("middle")), "the records are appended");
}
