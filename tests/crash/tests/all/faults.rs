//! What a store meets besides death: a full disk, a read-only file, a journal that does not read, a second
//! driver.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use cot_core::store::{RunId, Store, StoreError};
use cot_crash_tests::{RUNS, STEPS};
use cot_sqlite::SqliteStore;

use crate::{
    ledger::{Ledger, check_life},
    server::{Call, ModelServer},
    worker,
};

/// A file system of its own, in memory.
struct Disk {
    folder: tempfile::TempDir,
}

impl Disk {
    /// `None` where this machine lets nobody mount one.
    fn mount(size: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let options = format!("size={size}");
        let made = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "cot-crash-tests"])
            .arg(folder.path())
            .stderr(Stdio::null())
            .status();
        let made = made.is_ok_and(|status| status.success());
        if !made {
            println!("SKIPPED: no file system can be mounted here");
        }
        made.then_some(Self { folder })
    }

    fn remount(&self, how: &str) {
        let options = format!("remount,{how}");
        let status = Command::new("mount").args(["-o", &options]).arg(self.folder.path()).status();
        assert!(status.unwrap().success());
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("runs.sqlite")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.folder.path()).status();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_stops_the_runs_and_loses_nothing() {
    let Some(disk) = Disk::mount("300k") else { return };
    let database = disk.database();
    let server = ModelServer::start().await;
    let mut ledgers = vec![Ledger::read(&database).await];

    let output = worker::run(&database, &server.url(0)).await;
    assert_eq!(output.status.code(), Some(worker::STORE_FAILED));
    assert!(
        worker::complaint(&output).contains("the store is full"),
        "{}",
        worker::complaint(&output)
    );

    disk.remount("size=64m");
    ledgers.push(Ledger::read(&database).await);
    assert!(ledgers[1].ended < RUNS as usize, "the disk was not small enough");
    let output = worker::run(&database, &server.url(1)).await;
    assert!(output.status.success(), "{}", worker::complaint(&output));
    ledgers.push(Ledger::read(&database).await);
    assert_eq!(ledgers[2].replies.len(), (RUNS * STEPS) as usize);
    assert_eq!(ledgers[2].ended, RUNS as usize);
    for (life, pair) in ledgers.windows(2).enumerate() {
        check_life(life, &server.asked(), &pair[0], &pair[1]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_only_file_is_refused_before_a_model_is_asked() {
    let Some(disk) = Disk::mount("64m") else { return };
    let (database, server) = (disk.database(), ModelServer::start().await);
    kill_after(120, &database, &server).await;
    let asked = server.asked().len();

    disk.remount("ro");
    let output = worker::run(&database, &server.url(1)).await;
    assert_eq!(output.status.code(), Some(worker::STORE_FAILED));
    assert!(worker::complaint(&output).contains("read-only"), "{}", worker::complaint(&output));
    assert!(!server.asked()[asked..].iter().any(|call| call.life == 1), "a model was asked");

    disk.remount("rw");
    let output = worker::run(&database, &server.url(2)).await;
    assert!(output.status.success(), "{}", worker::complaint(&output));
    assert_eq!(Ledger::read(&database).await.replies.len(), (RUNS * STEPS) as usize);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_driver_is_refused_until_the_first_is_dead() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("runs.sqlite");
    let server = ModelServer::start().await;
    server.hold_after(30);
    let mut first = worker::start(&database, &server.url(0));
    server.has_answered(30).await;

    let refused = worker::run(&database, &server.url(1)).await;
    assert_eq!(refused.status.code(), Some(worker::STORE_FAILED));
    assert!(
        worker::complaint(&refused).contains("is driven by"),
        "{}",
        worker::complaint(&refused)
    );
    assert!(server.asked().iter().all(|call| call.life == 0), "the second driver asked a model");

    first.kill().await.unwrap();
    server.release();
    let before = Ledger::read(&database).await;
    let output = worker::run(&database, &server.url(2)).await;
    assert!(output.status.success(), "{}", worker::complaint(&output));
    let after = Ledger::read(&database).await;
    assert_eq!(after.ended, RUNS as usize);
    check_life(2, &server.asked(), &before, &after);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_journal_whose_end_does_not_read_is_named_and_can_be_cut() {
    let folder = tempfile::tempdir().unwrap();
    let (database, server) = (folder.path().join("runs.sqlite"), ModelServer::start().await);
    kill_after(120, &database, &server).await;
    let run: RunId = "run-7".parse().unwrap();
    let last = spoil_last_entry(&database, &run);

    let output = worker::run(&database, &server.url(1)).await;
    assert_eq!(output.status.code(), Some(worker::STORE_FAILED));
    let complaint = worker::complaint(&output);
    assert!(
        complaint.contains(&format!("entry {last} of run `run-7` does not read")),
        "{complaint}"
    );
    let by_the_broken = |call: &Call| call.life == 1 && call.step.0 == 7;
    assert!(!server.asked().iter().any(by_the_broken), "the broken run asked a model");

    let store = SqliteStore::open(&database).unwrap();
    let error = store.entries(&run, 0, usize::MAX).await.unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { entry, .. } if entry == last), "{error}");
    store.cut(&run, last).await.unwrap();
    drop(store);
    let output = worker::run(&database, &server.url(2)).await;
    assert!(output.status.success(), "{}", worker::complaint(&output));
    assert_eq!(Ledger::read(&database).await.replies.len(), (RUNS * STEPS) as usize);
}

/// Starts the program, and kills it once so many calls were answered.
async fn kill_after(answers: usize, database: &Path, server: &ModelServer) {
    server.hold_after(answers);
    let mut child = worker::start(database, &server.url(0));
    server.has_answered(answers).await;
    child.kill().await.unwrap();
    server.release();
}

/// Cuts the last entry of a run short, as a torn page would; gives its number.
fn spoil_last_entry(database: &Path, run: &RunId) -> u64 {
    let spoil = "UPDATE journal SET body = substr(body, 1, length(body) / 2)
        WHERE id = (SELECT journal.id FROM journal JOIN runs ON runs.id = journal.run
            WHERE runs.run = ?1 ORDER BY number DESC LIMIT 1)
        RETURNING number";
    let database = rusqlite::Connection::open(database).unwrap();
    let number: i64 = database.query_row(spoil, [run.as_str()], |row| row.get(0)).unwrap();
    number.try_into().unwrap()
}
