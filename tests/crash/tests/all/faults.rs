//! What a store meets besides death: a full disk, a read-only file, a journal that can't be read, a second
//! driver.

use std::{
    fs::File,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use cot_core::store::{RunId, Store, StoreError};
use cot_crash_tests::{RUNS, STEPS};
use cot_sqlite::SqliteStore;
use tempfile::NamedTempFile;

use crate::{
    ledger::{Ledger, check_life},
    server::{Call, ModelServer},
    worker, workers,
};

/// A file system of its own, in memory or in a file.
struct Disk {
    folder: tempfile::TempDir,
    _image: Option<NamedTempFile>,
}

impl Disk {
    /// `None` where this machine lets nobody mount one.
    fn mount(size: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let options = format!("size={size}");
        let mount = ["-t", "tmpfs", "-o", &options, "cot-crash-tests"];
        let made = succeeds(Command::new("mount").args(mount).arg(folder.path()));
        made.then_some(Self { folder, _image: None })
    }

    /// One with blocks of 1 KB; `None` where this machine lets nobody mount it.
    fn mount_with_small_blocks() -> Option<Self> {
        let (folder, image) = (tempfile::tempdir().unwrap(), NamedTempFile::new().unwrap());
        image.as_file().set_len(4 << 20).unwrap();
        let make = ["-q", "-t", "ext4", "-b", "1024"];
        let made = succeeds(Command::new("mke2fs").args(make).arg(image.path()))
            && succeeds(
                Command::new("mount").args(["-o", "loop"]).arg(image.path()).arg(folder.path()),
            );
        made.then_some(Self { folder, _image: Some(image) })
    }

    /// Leaves so many bytes free.
    fn fill_but(&self, free: u64) {
        let path = self.folder.path().join("filler");
        let mut filler = File::options().create(true).append(true).open(path).unwrap();
        // Writes until there is no room.
        while filler.write_all(&[1; 1024]).is_ok() {}
        filler.sync_all().unwrap();
        let length = filler.metadata().unwrap().len();
        filler.set_len(length.saturating_sub(free)).unwrap();
        filler.sync_all().unwrap();
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

fn succeeds(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    let is_done = status.is_ok_and(|status| status.success());
    if !is_done {
        println!("SKIPPED: no such file system can be mounted here");
    }
    is_done
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

/// SQLite maps the index of its log into memory, and with small blocks leaves holes in it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_with_small_blocks_ends_no_program_by_a_signal() {
    let Some(disk) = Disk::mount_with_small_blocks() else { return };
    let (database, server) = (disk.database(), ModelServer::start().await);
    drop(SqliteStore::open(&database).unwrap());
    for free in (0..144).step_by(8) {
        disk.fill_but(free << 10);
        let output = worker::run(&database, &server.url(0)).await;
        let complaint = worker::complaint(&output);
        assert_eq!(output.status.code(), Some(worker::STORE_FAILED), "{free} KB: {complaint}");
        assert!(complaint.contains("the store is full"), "{free} KB: {complaint}");
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
        complaint.contains(&format!("entry {last} of run `run-7` can't be read")),
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_waits_until_there_is_room() {
    let Some(disk) = Disk::mount("8m") else { return };
    let filler = disk.folder.path().join("filler");
    let free = || std::fs::remove_file(&filler).unwrap();
    workers::works_on_after(&disk.database(), || disk.fill_but(0), free).await;
}
