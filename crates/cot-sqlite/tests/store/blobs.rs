//! Images and documents of runs: stored once, and deleted with the last run that refers to them.

use std::fs;

use cot_core::{
    Machine, ResumeOptions, Runner, Snapshot,
    model::{Blob, Digest, Document, Image, ScriptedModel},
    prelude::*,
    store::{Entry, Record, RunHistory, Store, StoreError, snapshot_at},
};
use cot_sqlite::SqliteStore;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kit::{Place, at, begun, describe_panic, ended, entries, id, run_of, whole};

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Note {
    text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Inspection {
    photo: Image,
    rules: Vec<Document>,
    notes: Vec<String>,
}

cot_process! {
    process Inspecting {
        state: Inspection,

        task look -> Note {
            prompt: "Describe the roof, ${image(state.photo)}, by ${document(&state.rules)}. Part ${state.notes.len()}.",
            update: { notes[] = output.text },
            next: { done if state.notes.len() >= 50, look },
        }

        task done { end }
    }
}

const MEGABYTES: usize = 5_000_000;

/// A photo of this many bytes, which no compression shortens.
fn photo(bytes: usize) -> Image {
    let mut number = 1_u32;
    let noise = std::iter::repeat_with(|| {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        number.to_be_bytes()[0]
    });
    let bytes: Vec<u8> = b"\xff\xd8\xff".iter().copied().chain(noise).take(bytes).collect();
    Image::from_bytes(bytes).unwrap()
}

fn inspection() -> Inspection {
    let rules = vec![Document::from_text("Tiles must be whole.").unwrap().with_name("rules.txt")];
    Inspection { photo: photo(MEGABYTES), rules, notes: Vec::new() }
}

fn runner(store: &SqliteStore, replies: usize) -> Runner<Inspecting> {
    let reply = |number| format!(r#"{{"text":"part {number} is good"}}"#);
    Inspecting::runner().model(ScriptedModel::new((0..replies).map(reply))).store(store.clone())
}

fn count(place: &Place, query: &str) -> i64 {
    place.sql().query_row(query, [], |row| row.get(0)).unwrap()
}

/// The bytes of the database with its write-ahead log.
async fn size(place: &Place, store: &SqliteStore) -> u64 {
    store.vacuum().await.unwrap();
    fs::metadata(&place.path).unwrap().len()
}

#[tokio::test]
async fn an_image_that_is_shown_in_many_steps_is_stored_once() {
    let place = Place::new();
    let store = place.open();
    let report = runner(&store, 50).run_id("roof").run(inspection()).await.unwrap();
    assert_eq!(report.state.notes.len(), 50);
    let bytes = size(&place, &store).await;
    assert!((5_000_000..5_700_000).contains(&bytes), "{bytes} bytes");
    assert_eq!(count(&place, "SELECT COUNT(*) FROM blobs"), 2);

    // A second run with the same image, and a fork, add almost nothing.
    runner(&store, 50).run_id("again").run(inspection()).await.unwrap();
    let fork = runner(&store, 50).run_id("fork").fork("roof", 20).unwrap();
    drop(fork.create().await.unwrap());
    let forked = runner(&store, 50).resume("fork").unwrap().await.unwrap();
    assert_eq!((forked.state.notes.len(), &forked.state.photo), (50, &photo(MEGABYTES)));
    let more = size(&place, &store).await - bytes;
    assert!(more < 700_000, "{more} bytes more");
    assert_eq!(count(&place, "SELECT COUNT(*) FROM blobs"), 2);
}

#[tokio::test]
async fn a_run_continues_with_the_same_image_in_another_program() {
    let place = Place::new();
    let store = place.open();
    // The model has no more replies, so the run halts.
    drop(runner(&store, 3).run_id("roof").report(inspection()).await);
    drop(store);

    let store = place.open();
    let options = ResumeOptions::default().retry_halted();
    let report = runner(&store, 50)
        .resume_options(options)
        .resume("roof")
        .unwrap()
        .finish()
        .report()
        .await
        .unwrap();
    assert_eq!(report.state.photo, photo(MEGABYTES));
    assert_eq!(report.state.rules, inspection().rules);
    assert_eq!(report.state.notes.len(), 50);
    assert_eq!(count(&place, "SELECT COUNT(*) FROM blobs"), 2);

    // A snapshot that leaves the store contains the image, once.
    let snapshot = snapshot_at(&store, &id("roof"), 10).await.unwrap();
    assert_eq!(snapshot.missing_blobs().count(), 0);
    let json = snapshot.to_json().unwrap();
    assert!((6_600_000..6_800_000).contains(&json.len()), "{}", json.len());
    let machine = Machine::<Inspecting>::resume(
        Snapshot::from_json(&json).unwrap(),
        ResumeOptions::default(),
    );
    assert_eq!(machine.unwrap().state().unwrap().photo, photo(MEGABYTES));
}

#[tokio::test]
async fn entries_and_histories_show_digests_and_no_bytes() {
    let place = Place::new();
    let store = place.open();
    runner(&store, 50).run_id("roof").run(inspection()).await.unwrap();
    let entries: Vec<Entry> = entries(&store, &id("roof")).await;
    let Record::Begun(begun) = &entries[0].record else { panic!("{:?}", entries[0]) };
    let digest = photo(MEGABYTES).digest().unwrap();
    assert!(begun.snapshot.get().contains(&format!(r#""blob":"{digest}","bytes":5000000"#)));
    assert!(begun.blobs.missing().any(|missing| missing == digest));
    let text = format!("{:?}", store.blobs(&id("roof"), &[digest]).await.unwrap());
    assert!(text.len() < 200, "{text}");
    let history = RunHistory::load(&store, &id("roof")).await.unwrap().unwrap();
    let prompt = history.steps[0].attempts[0].prompt.clone().unwrap().prompt();
    let placeholder = format!("the roof, [image image/jpeg, 5000000 bytes, {}]", digest.short());
    assert!(prompt.contains(&placeholder), "{prompt}");
    assert!(serde_json::to_string(&history).unwrap().len() < 1_000_000);
}

/// Adds a blob to a record.
fn with_blob(mut record: Record, bytes: &[u8]) -> Record {
    let blobs = std::iter::once(Blob::new(bytes)).collect();
    match &mut record {
        Record::Begun(begun) => begun.blobs = blobs,
        Record::Step(step) => step.blobs = blobs,
        Record::Submitted(_) | Record::Event(_) => {}
    }
    record
}

#[tokio::test]
async fn pruned_and_removed_runs_leave_no_blobs() {
    let place = Place::new();
    let store = place.open();
    let run = |bytes: &'static [u8]| {
        vec![with_blob(begun(), bytes), with_blob(whole(10, ended()), b"shared")]
    };
    drop(run_of(&store, "old", run(b"only in old")).await);
    drop(run_of(&store, "gone", run(b"only in gone")).await);
    let (young, _lease) =
        run_of(&store, "young", vec![with_blob(begun(), b"shared"), whole(100, ended())]).await;
    assert_eq!(count(&place, "SELECT COUNT(*) FROM blobs"), 3);
    drop(store.acquire(&id("another")).await.unwrap());
    store.remove(&id("gone")).await.unwrap();
    assert_eq!(count(&place, "SELECT COUNT(*) FROM blobs"), 2);
    assert_eq!(store.prune(at(50)).await.unwrap(), 1);
    assert_eq!(count(&place, "SELECT COUNT(*) FROM blobs"), 1);
    assert_eq!(count(&place, "SELECT COUNT(*) FROM blob_uses"), 1);
    let shared = Digest::from_bytes(b"shared");
    assert!(store.blobs(&young, &[shared]).await.unwrap().get(shared).is_some());
}

#[tokio::test]
async fn cutting_a_journal_drops_the_blobs_of_the_cut_entries() {
    let place = Place::new();
    let store = place.open();
    let records = vec![
        with_blob(begun(), b"first"),
        with_blob(whole(1, ended()), b"second"),
        with_blob(whole(2, ended()), b"third"),
    ];
    drop(run_of(&store, "run", records).await);
    drop(store.acquire(&id("another")).await.unwrap());
    assert_eq!(store.cut(&id("run"), 2).await.unwrap(), 1);
    let digests = [b"first".as_slice(), b"second", b"third"].map(Digest::from_bytes);
    assert_eq!(store.blobs(&id("run"), &digests[..2]).await.unwrap().iter().count(), 2);
    let error = store.blobs(&id("run"), &digests).await.unwrap_err();
    assert!(matches!(error, StoreError::MissingBlob { digest, .. } if digest == digests[2]));
    assert_eq!(count(&place, "SELECT COUNT(*) FROM blobs"), 2);
}

#[tokio::test]
async fn damaged_and_missing_blobs_are_named() {
    let place = Place::new();
    let store = place.open();
    drop(runner(&store, 3).run_id("roof").report(inspection()).await);
    let digest = photo(MEGABYTES).digest().unwrap();
    let resume = async || {
        let options = ResumeOptions::default().retry_halted();
        let run = runner(&store, 50).resume_options(options).resume("roof").unwrap();
        describe_panic(&run.await.unwrap_err())
    };
    let damage = "UPDATE blobs SET bytes = CAST(bytes || 'x' AS BLOB) WHERE digest = ?";
    assert_eq!(place.sql().execute(damage, [digest.to_string()]).unwrap(), 1);
    let error = resume().await;
    assert!(error.contains("a blob of run `roof` is damaged"), "{error}");
    assert!(error.contains(&format!("the blob `{digest}` was changed after it was stored")));

    let sql = place.sql();
    sql.pragma_update(None, "foreign_keys", false).unwrap();
    let deleted = sql.execute("DELETE FROM blobs WHERE digest = ?", [digest.to_string()]).unwrap();
    assert_eq!(deleted, 1);
    let error = resume().await;
    assert!(error.contains(&format!("the blob `{digest}` of run `roof` is missing")), "{error}");
    // The entries can still be read.
    assert!(RunHistory::load(&store, &id("roof")).await.unwrap().is_some());
}
