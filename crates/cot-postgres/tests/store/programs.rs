//! Workers in several programs, which are killed and frozen, and a server that is restarted.

use std::{
    collections::HashMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use cot_core::{
    prelude::*,
    store::{RunFilter, Status, Store},
};
use cot_postgres::{PgOptions, PgStore};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::{kit, proxy};

/// A service that records each call in a file, as a line with its run and key.
#[derive(Debug, Clone)]
struct Sink {
    file: PathBuf,
}

impl Sink {
    async fn record(&self, effect: &str, key: &str) -> std::io::Result<()> {
        let mut file = fs::OpenOptions::new().create(true).append(true).open(&self.file)?;
        std::io::Write::write_all(&mut file, format!("{effect} {key}\n").as_bytes())?;
        // The time in which the program can be killed before the result is durable.
        tokio::time::sleep(Duration::from_millis(100)).await;
        Ok(())
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Payment {
    is_charged: bool,
}

cot_process! {
    process Payments {
        state: Payment,
        context: Sink,

        task prepare { run: prepare, next: charge }

        task charge -> bool {
            run: charge,
            effect: once,
            update: is_charged,
            on: { interrupted => inform },
            next: inform,
        }

        task inform { run: inform, next: done }

        task done { end }
    }
}

async fn prepare(_: &Payment, cx: &Cx<'_, Payments>) -> std::io::Result<()> {
    cx.app().record("again", &cx.call_key()).await
}

async fn charge(_: &Payment, cx: &Cx<'_, Payments>) -> std::io::Result<bool> {
    cx.app().record("once", &cx.call_key()).await?;
    Ok(true)
}

async fn inform(_: &Payment, cx: &Cx<'_, Payments>) -> std::io::Result<()> {
    cx.app().record("again", &cx.call_key()).await
}

/// How a worker of this binary finds its store, as `address schema file`.
const WORKER: &str = "COT_TEST_WORKER";

fn options(schema: &str) -> PgOptions {
    PgStore::options().schema(schema).lease_time(Duration::from_secs(3))
}

/// No test, but the program of the workers: it works until it is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it is the program of the other tests"]
async fn worker_program() {
    let Ok(place) = env::var(WORKER) else { return };
    let [address, schema, file] = place.split(' ').collect::<Vec<_>>()[..] else {
        panic!("{place}")
    };
    let store = kit::until(async || options(schema).connect(address).await.ok()).await;
    let sink = Sink { file: file.into() };
    let worker = Payments::runner(sink).worker(store).max_runs(2).max_crashes(1000);
    worker.run().await.unwrap();
}

struct World {
    folder: TempDir,
    schema: String,
    place: String,
    store: PgStore,
}

impl World {
    /// Submits runs.
    async fn start(address: &str, runs: usize) -> Self {
        let (folder, schema) = (TempDir::new().unwrap(), kit::schema());
        let file = folder.path().join("calls");
        let place = format!("{address} {schema} {}", file.display());
        let store = options(&schema).connect(address).await.unwrap();
        let runner = Payments::runner(Sink { file }).store(store.clone());
        for number in 0..runs {
            let run = runner.clone().run_id(format!("run-{number}"));
            run.submit(&Payment::default()).await.unwrap();
        }
        Self { folder, schema, place, store }
    }

    fn spawn(&self) -> Child {
        let program = env::current_exe().unwrap();
        let arguments = ["--ignored", "--exact", "programs::worker_program", "--test-threads=1"];
        let mut command = Command::new(program);
        command.args(arguments).env(WORKER, &self.place);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    async fn left(&self) -> u64 {
        let mut left = RunFilter::default();
        left.is_ended = Some(false);
        kit::until(async || self.store.count(&left).await.ok()).await
    }

    /// Checks that all runs have ended well, and no call with `effect: once` was made twice.
    async fn check(&self, runs: usize) {
        let all = self.store.runs(&RunFilter::default()).await.unwrap();
        assert_eq!(all.len(), runs, "no run is lost");
        for run in &all {
            assert!(matches!(&run.status, Status::Ended { task, .. } if task == "done"), "{run}");
            let entries = self.store.entries(&run.run, 0, usize::MAX).await.unwrap();
            assert_eq!(entries.len() as u64, run.entries, "{run}");
        }
        let calls = fs::read_to_string(self.folder.path().join("calls")).unwrap();
        let mut counts: HashMap<&str, u32> = HashMap::new();
        calls.lines().for_each(|call| *counts.entry(call).or_default() += 1);
        let doubled: Vec<_> =
            counts.iter().filter(|(call, count)| call.starts_with("once") && **count > 1).collect();
        assert!(doubled.is_empty(), "{doubled:?}");
        let begun = counts.keys().filter(|call| call.starts_with("again")).count();
        assert_eq!(begun, 2 * runs, "each of the other calls was made");
    }
}

fn signal(program: u32, name: &str) {
    let arguments = [&format!("-{name}"), &program.to_string()];
    // One that was killed while it was frozen is gone.
    let _ = Command::new("kill").args(arguments).stderr(Stdio::null()).status();
}

/// Kills and freezes workers, and restarts the server, until all runs have ended.
async fn survive(address: &str, runs: usize, kills: usize, restart: Option<&Path>) {
    let world = World::start(address, runs).await;
    let mut workers: Vec<Child> = (0..3).map(|_| world.spawn()).collect();
    let mut killed = 0;
    let end = Instant::now() + Duration::from_secs(90 + 4 * kills as u64);
    loop {
        let left = usize::try_from(world.left().await).unwrap();
        if left == 0 {
            break;
        }
        assert!(Instant::now() < end, "{left} runs are left after {killed} kills");
        tokio::time::sleep(Duration::from_millis(fastrand::u64(20..120))).await;
        // Spread over the runs, so that they end after the last kill.
        if killed >= kills || (runs - left) * kills < killed * runs {
            continue;
        }
        killed += 1;
        let index = fastrand::usize(..workers.len());
        match (killed % 10, restart) {
            (5, Some(script)) => {
                let port = address.split(':').nth(2).unwrap().split('/').next().unwrap();
                let done = Command::new(script).args(["restart", port]).status().unwrap();
                assert!(done.success(), "the server is restarted");
            }
            (2 | 7, _) => {
                // Frozen for longer than its leases are worth something, it continues beside those who took its runs.
                let frozen = workers[index].id();
                signal(frozen, "STOP");
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_millis(4500)).await;
                    signal(frozen, "CONT");
                });
            }
            _ => {
                signal(workers[index].id(), "KILL");
                let _ = workers[index].wait();
                workers[index] = world.spawn();
            }
        }
    }
    for worker in &mut workers {
        let _ = worker.kill();
        let _ = worker.wait();
    }
    assert!(killed >= kills * 9 / 10, "{killed} kills");
    world.check(runs).await;
    println!("{runs} runs ended after {killed} kills in schema {}", world.schema);
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_survive_kills_and_freezes_of_three_programs() {
    let Some(address) = kit::address() else { return };
    survive(&address, 60, 8, None).await;
}

/// With a server of its own, which is stopped as by a crash and started again.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes long: a step of `.ci/long`"]
async fn runs_survive_hundreds_of_kills_and_restarts_of_the_server() {
    let Some(address) = kit::address() else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/server.sh");
    survive(&address, 1000, 300, Some(&script)).await;
}

/// A program that is frozen in the middle of a call has lost its run within ten seconds.
#[tokio::test(flavor = "multi_thread")]
async fn the_runs_of_a_frozen_program_are_taken_within_ten_seconds() {
    let Some(address) = kit::address() else { return };
    let world = World::start(&address, 0).await;
    let options = PgStore::options().schema(&*world.schema);
    // With the lease time that is the default.
    let (through, faults) = proxy::start(&address).await;
    let frozen = options.connect(&through).await.unwrap();
    let other = options.connect(&address).await.unwrap();
    let runner = Payments::runner(Sink { file: world.folder.path().join("calls") });
    runner
        .clone()
        .store(world.store.clone())
        .run_id("run")
        .submit(&Payment::default())
        .await
        .unwrap();
    let run = "run".parse().unwrap();
    let lease = frozen.acquire(&run).await.unwrap();
    let began = Instant::now();
    faults.freeze(true);
    let worker = tokio::spawn(runner.worker(other.clone()).run());
    kit::until(async || other.run(&run).await.unwrap().filter(|run| run.status.is_ended())).await;
    let taken = began.elapsed();
    assert!(taken < Duration::from_secs(10), "{taken:?}");
    worker.abort();
    faults.freeze(false);
    drop(lease);
}
