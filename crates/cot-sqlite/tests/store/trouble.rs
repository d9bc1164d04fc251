//! Full disks, damaged files, and databases of other programs.

use std::{fs, path::Path, process::Command};

use cot_core::store::{Record, RunId, Store, StoreError};
use cot_sqlite::{SqliteStore, Synchronous};
use tempfile::TempDir;

use crate::kit::{
    Place, begun, changed, describe_panic, entries, id, replied, run_of, text, whole,
};

const MODES: [Synchronous; 2] = [Synchronous::Full, Synchronous::Normal];

fn large() -> Record {
    replied("task#1@1", "x", &"y".repeat(20_000))
}

/// Appends large replies until there is an error. Returns how many succeeded.
async fn fill(store: &SqliteStore, name: &str) -> (u64, StoreError) {
    let (_, lease) = run_of(store, name, vec![begun()]).await;
    for count in 0..100_000 {
        if let Err(error) = store.append(&lease, vec![large()]).await {
            return (count, error);
        }
    }
    panic!("it is never full");
}

/// Nothing is lost, and writing continues as soon as there is space.
async fn survives_being_full(store: &SqliteStore) {
    let (_, first) = run_of(store, "first", vec![begun(), large(), large(), large()]).await;
    drop(first);
    let (count, error) = fill(store, "second").await;
    assert!(matches!(error, StoreError::Full { .. }), "{}", describe_panic(&error));
    let kept = entries(store, &id("second")).await;
    assert_eq!(kept.len() as u64, count + 1);
    assert!(kept.iter().skip(1).all(|entry| text(&entry.record) == text(&large())));

    store.remove(&id("first")).await.unwrap();
    let lease = store.acquire(&id("second")).await.unwrap();
    store.append(&lease, vec![large()]).await.unwrap();
    assert_eq!(entries(store, &id("second")).await.len() as u64, count + 2);
}

#[tokio::test]
async fn a_full_database_takes_no_harm() {
    for options in MODES.map(|synchronous| SqliteStore::options().synchronous(synchronous)) {
        let place = Place::new();
        survives_being_full(&options.max_bytes(400_000).open(&place.path).unwrap()).await;
    }
}

/// An append that fits is written even if it is committed together with one that does not.
#[tokio::test]
async fn what_fits_is_written_beside_what_does_not() {
    let place = Place::new();
    let store = SqliteStore::options().max_bytes(400_000).open(&place.path).unwrap();
    let (_, small) = run_of(&store, "small", vec![begun()]).await;
    let (_, huge) = run_of(&store, "huge", vec![begun()]).await;
    let too_much = replied("a#1@1", "x", &"y".repeat(500_000));
    let (first, full, last) = tokio::join!(
        store.append(&small, vec![changed(1)]),
        store.append(&huge, vec![too_much]),
        store.append(&small, vec![changed(2)]),
    );
    assert!(matches!(full, Err(StoreError::Full { .. })));
    first.unwrap();
    last.unwrap();
    assert_eq!(entries(&store, &id("small")).await.len(), 3);
    assert_eq!(entries(&store, &id("huge")).await.len(), 1);
}

/// Mounts a small file system; requires root.
#[cfg(target_os = "linux")]
struct Disk(TempDir);

#[cfg(target_os = "linux")]
impl Disk {
    fn mount(options: &str) -> Option<Self> {
        let disk = Self(TempDir::new().unwrap());
        let mounted = mount(&["-t", "tmpfs", "-o", options, "tmpfs"], disk.0.path());
        if !mounted {
            eprintln!("SKIPPED: a file system can't be mounted here; this needs root");
        }
        mounted.then_some(disk)
    }
}

#[cfg(target_os = "linux")]
impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).output();
    }
}

#[cfg(target_os = "linux")]
fn mount(arguments: &[&str], folder: &Path) -> bool {
    let mounted = Command::new("mount").args(arguments).arg(folder).output();
    mounted.is_ok_and(|output| output.status.success())
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_disk_takes_no_harm() {
    for options in MODES.map(|synchronous| SqliteStore::options().synchronous(synchronous)) {
        let Some(disk) = Disk::mount("size=2m") else { return };
        survives_a_full_disk(&options.open(disk.0.path().join("runs.db")).unwrap(), &disk).await;
    }
}

#[cfg(target_os = "linux")]
async fn survives_a_full_disk(store: &SqliteStore, disk: &Disk) {
    let (run, lease) = run_of(store, "run", vec![begun(), large()]).await;
    let ballast = disk.0.path().join("ballast");
    // Everything that is left, whatever the error is.
    let _ = fs::write(&ballast, vec![0; 4_000_000]);
    let mut count = 2;
    let error = loop {
        match store.append(&lease, vec![large()]).await {
            Ok(()) => count += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, StoreError::Full { .. }), "{}", describe_panic(&error));
    assert_eq!(entries(store, &run).await.len(), count);
    fs::remove_file(&ballast).unwrap();
    store.append(&lease, vec![large()]).await.unwrap();
    assert_eq!(entries(store, &run).await.len(), count + 1);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn runs_that_a_full_disk_has_stopped_are_free_once_there_is_room() {
    let Some(disk) = Disk::mount("size=2m") else { return };
    let path = disk.0.path().join("runs.db");
    let (store, other) = (SqliteStore::open(&path).unwrap(), SqliteStore::open(&path).unwrap());
    let (run, lease) = run_of(&store, "run", vec![begun(), large()]).await;
    let (_, rest) = run_of(&store, "rest", vec![begun()]).await;
    let ballast = disk.0.path().join("ballast");
    let _ = fs::write(&ballast, vec![0; 4_000_000]);
    while store.append(&rest, vec![changed(1)]).await.is_ok() {}
    drop(lease);
    // This task comes after the release.
    store.append(&rest, vec![changed(1)]).await.unwrap_err();
    let driven = other.acquire(&run).await.unwrap_err();
    assert!(matches!(driven, StoreError::Leased { .. }), "{}", describe_panic(&driven));
    fs::remove_file(&ballast).unwrap();
    store.append(&rest, vec![changed(1)]).await.unwrap();
    other.acquire(&run).await.unwrap();
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_read_only_disk_is_said_to_be() {
    let Some(disk) = Disk::mount("size=2m") else { return };
    let path = disk.0.path().join("runs.db");
    let store = SqliteStore::open(&path).unwrap();
    drop(run_of(&store, "run", vec![begun()]).await);
    drop(store);
    assert!(mount(&["-o", "remount,ro"], disk.0.path()));
    let error = SqliteStore::open(&path).map(|_| ()).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{}", describe_panic(&error));
}

#[tokio::test]
async fn a_store_that_is_only_looked_at_is_not_written_to() {
    let place = Place::new();
    let missing = SqliteStore::options().read_only().open(&place.path).map(|_| ()).unwrap_err();
    assert!(describe_panic(&missing).contains("can't be opened"), "{}", describe_panic(&missing));
    assert!(!place.path.exists());

    let store = place.open();
    let (run, lease) = run_of(&store, "run", vec![begun()]).await;
    let looking = SqliteStore::options().read_only().open(&place.path).unwrap();
    assert_eq!(entries(&looking, &run).await.len(), 1);
    assert!(looking.run(&run).await.unwrap().unwrap().is_driven);
    let read_only = |error: StoreError| {
        assert!(matches!(error, StoreError::ReadOnly { .. }), "{}", describe_panic(&error));
    };
    read_only(looking.acquire(&id("other")).await.unwrap_err());
    read_only(looking.append(&lease, vec![changed(1)]).await.unwrap_err());
    read_only(looking.vacuum().await.unwrap_err());
    store.append(&lease, vec![changed(1)]).await.unwrap();
    assert_eq!(entries(&looking, &run).await.len(), 2);
    drop((store, lease));
    // The last connection that could clean up the files is closed.
    assert_eq!(entries(&looking, &run).await.len(), 2);
}

fn refusal(path: &Path) -> String {
    describe_panic(&SqliteStore::open(path).map(|_| ()).unwrap_err())
}

#[tokio::test]
async fn what_is_no_store_is_left_alone() {
    let place = Place::new();
    fs::write(&place.path, "this is a letter, and no database\n".repeat(100)).unwrap();
    assert!(refusal(&place.path).contains("the file is not a SQLite database"));

    for nameless in [":memory:", ""] {
        let said = refusal(Path::new(nameless));
        assert!(said.contains("MemoryStore"), "{said}");
    }

    let place = Place::new();
    place.sql().execute_batch("CREATE TABLE letters (text TEXT);").unwrap();
    let before = fs::read(&place.path).unwrap();
    assert!(refusal(&place.path).contains("belongs to another program"));
    assert_eq!(fs::read(&place.path).unwrap(), before);

    let place = Place::new();
    drop(place.open());
    place.sql().pragma_update(None, "user_version", 99).unwrap();
    let words = refusal(&place.path);
    assert!(words.contains("has version 99") && words.contains("up to 1"), "{words}");
    // A program that opens several must learn which one failed.
    assert!(words.contains(place.path.to_str().unwrap()), "{words}");

    let place = Place::new();
    assert!(refusal(&place.path.join("no/folder.db")).contains("does its folder exist"));
}

async fn first_bad(store: &SqliteStore, run: &RunId) -> u64 {
    match store.entries(run, 0, usize::MAX).await {
        Err(StoreError::Corrupt { entry, .. }) => entry,
        other => panic!("expected damage, got {other:?}"),
    }
}

#[tokio::test]
async fn a_damaged_tail_is_found_and_cut_off() {
    let place = Place::new();
    let store = place.open();
    let records = vec![begun(), whole(1, crate::kit::running()), replied("a#1@1", "x", "y")];
    let (run, lease) = run_of(&store, "run", records).await;
    store.append(&lease, vec![changed(2), replied("b#1@1", "z", "w"), changed(3)]).await.unwrap();
    let changes = [
        ("UPDATE journal SET reply = 'Y' WHERE number = 4", 4),
        ("UPDATE journal SET body = 'nonsense' WHERE number = 4", 4),
        ("UPDATE journal SET texts = 'X' WHERE texts = 'x'", 2),
    ];
    for (change, entry) in changes {
        assert_eq!(place.sql().execute(change, []).unwrap(), 1);
        assert_eq!(first_bad(&store, &run).await, entry, "{change}");
        let before = usize::try_from(entry).unwrap();
        assert_eq!(store.entries(&run, 0, before).await.unwrap().len(), before);
    }
    assert!(matches!(store.cut(&run, 2).await, Err(StoreError::Leased { .. })));
    drop(lease);
    assert!(matches!(store.cut(&run, 3).await, Err(StoreError::Corrupt { entry: 2, .. })));
    assert!(describe_panic(&store.cut(&run, 0).await.unwrap_err()).contains("remove the run"));
    assert_eq!(store.cut(&run, 2).await.unwrap(), 4);
    let summary = store.run(&run).await.unwrap().unwrap();
    assert_eq!((summary.entries, summary.steps), (2, 1));
    assert_eq!(entries(&store, &run).await.len(), 2);

    let lease = store.acquire(&run).await.unwrap();
    store.append(&lease, vec![replied("a#1@1", "x", "y")]).await.unwrap();
    assert_eq!(text(&entries(&store, &run).await[2].record), text(&replied("a#1@1", "x", "y")));
}

/// Whatever is overwritten in the file: a read returns the written data or an error.
#[tokio::test]
async fn damaged_files_give_errors_and_nothing_wrong() {
    let place = Place::new();
    let store = place.open();
    let mut records = vec![begun()];
    records.extend((0..60).map(|n| replied("a#1@1", &format!("{n}").repeat(700), "reply")));
    let (run, _) = run_of(&store, "run", records.clone()).await;
    drop(store);
    let whole = fs::read(&place.path).unwrap();
    let mut errors = 0;
    for start in (0..whole.len()).step_by(2048) {
        let mut damaged = whole.clone();
        damaged[start..].iter_mut().take(300).for_each(|byte| *byte ^= 0x5a);
        let place = Place::new();
        fs::write(&place.path, damaged).unwrap();
        let Ok(store) = SqliteStore::open(&place.path) else {
            errors += 1;
            continue;
        };
        match store.entries(&run, 0, usize::MAX).await {
            Ok(read) => {
                assert!(read.len() <= records.len());
                for (entry, record) in read.iter().zip(&records) {
                    assert_eq!(text(&entry.record), text(record), "byte {start}");
                }
            }
            Err(_) => errors += 1,
        }
    }
    assert!(errors > 10, "only {errors} were noticed");
}

/// The state of the write-ahead log after a crash: the appends up to some point, each complete.
#[tokio::test]
async fn a_half_written_log_gives_what_was_committed() {
    let place = Place::new();
    let store = place.open();
    let (run, lease) = run_of(&store, "run", vec![begun()]).await;
    for step in 1..=20 {
        store.append(&lease, vec![replied("a#1@1", "x", "y"), changed(step)]).await.unwrap();
    }
    let log = |path: &Path| path.with_extension("db-wal");
    let (database, written) = (fs::read(&place.path).unwrap(), fs::read(log(&place.path)).unwrap());
    let mut counts = Vec::new();
    for length in (0..=written.len()).step_by(1000).chain([written.len()]) {
        let crashed = Place::new();
        fs::write(&crashed.path, &database).unwrap();
        fs::write(log(&crashed.path), &written[..length]).unwrap();
        let store = crashed.open();
        let count = match store.entries(&run, 0, usize::MAX).await {
            Ok(entries) => entries.len(),
            Err(StoreError::UnknownRun { .. }) => 0,
            Err(error) => panic!("{}", describe_panic(&error)),
        };
        assert!(count == 0 || count % 2 == 1, "half an append");
        counts.push(count);
    }
    assert!(counts.is_sorted() && counts.first() == Some(&0) && counts.last() == Some(&41));
}
