//! Workers that share a store, and are killed again and again.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use cot_core::{
    Runner, WorkerEvent,
    model::ScriptedModel,
    store::{RunFilter, RunId, Status, Store, StoreError},
};
use cot_crash_tests::{Counter, CounterState, Fuse, FuseState, RUNS, STEPS};
use cot_sqlite::SqliteStore;
use serde_json::json;
use tokio::process::Child;

use crate::{
    ledger::Ledger,
    server::{ModelServer, Step},
    worker,
};

const WORKERS: usize = 3;
/// More kills than any run of these tests survives without progress.
const NEVER: u32 = 1000;

/// Submits all runs, as a program without workers does.
async fn submit_counters(store: &SqliteStore) {
    for number in 0..RUNS {
        let runner = Counter::runner().store(store.clone()).run_id(format!("run-{number}"));
        runner.submit(&CounterState::new(number)).await.unwrap();
    }
}

/// The lives of a worker program.
struct Crew<'a> {
    database: &'a Path,
    server: &'a ModelServer,
    alive: Vec<(usize, Child)>,
    next_life: usize,
    killed: BTreeSet<usize>,
}

impl Crew<'_> {
    fn fill(&mut self) {
        while self.alive.len() < WORKERS {
            let url = self.server.url(self.next_life);
            let child = worker::start_worker(self.database, &url, NEVER);
            self.alive.push((self.next_life, child));
            self.next_life += 1;
        }
    }

    async fn kill(&mut self, number: usize) {
        let (life, mut child) = self.alive.swap_remove(number);
        child.kill().await.unwrap();
        self.killed.insert(life);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_that_are_killed_lose_no_run_and_share_none() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("runs.sqlite");
    submit_counters(&SqliteStore::open(&database).unwrap()).await;
    let server = ModelServer::start().await;
    let mut random = fastrand::Rng::with_seed(7);
    let mut crew = Crew {
        database: &database,
        server: &server,
        alive: Vec::new(),
        next_life: 0,
        killed: BTreeSet::new(),
    };
    for _ in 0..worker::kills(40) {
        crew.fill();
        // Few enough that so many lives can't finish the work.
        let answers = server.answered() + random.usize(0..=5);
        server.hold_after(answers + 1);
        server.has_answered(answers).await;
        tokio::time::sleep(Duration::from_micros(random.u64(0..3000))).await;
        crew.kill(random.usize(0..WORKERS)).await;
    }
    server.release();
    crew.fill();
    for (_, child) in crew.alive.drain(..) {
        let output = child.wait_with_output().await.unwrap();
        assert!(output.status.success(), "{}", worker::complaint(&output));
    }

    let ledger = Ledger::read(&database).await;
    assert_eq!(ledger.ended, RUNS as usize);
    assert_eq!(ledger.replies.len(), (RUNS * STEPS) as usize);
    // A call is repeated only when the program that made it was killed: no run has two drivers.
    let mut lives: BTreeMap<Step, Vec<usize>> = BTreeMap::new();
    for call in server.asked() {
        lives.entry(call.step).or_default().push(call.life);
    }
    for (step, lives) in lives {
        let (_, earlier) = lives.split_last().unwrap();
        let survivors: Vec<_> = earlier.iter().filter(|life| !crew.killed.contains(life)).collect();
        assert!(survivors.is_empty(), "{step:?} was asked for by {lives:?}, not all killed");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_runs_of_a_dead_worker_continue_in_another() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("runs.sqlite");
    let store = SqliteStore::open(&database).unwrap();
    let run: RunId = "run-0".parse().unwrap();
    let runner = Counter::runner().store(store.clone()).run_id("run-0");
    runner.submit(&CounterState::new(0)).await.unwrap();
    let server = ModelServer::start().await;
    server.hold_after(3);
    let mut first = worker::start_worker(&database, &server.url(0), NEVER);
    server.has_asked(0, 4).await;
    let second = worker::start_worker(&database, &server.url(1), NEVER);
    first.kill().await.unwrap();
    // It asks again for what the first one was waiting for, and for nothing before that.
    server.has_asked(1, 1).await;
    server.release();
    assert!(second.wait_with_output().await.unwrap().status.success());
    let summary = store.run(&run).await.unwrap().unwrap();
    assert_eq!((summary.status.word(), summary.steps), ("end", STEPS.into()));
    assert_eq!(server.asked().len(), STEPS as usize + 1);
}

/// Starts workers until one comes to its end. Returns how many were killed by their runs.
async fn work_to_the_end(database: &Path, server: &ModelServer) -> usize {
    for deaths in 0..20 {
        let child = worker::start_worker(database, &server.url(deaths), 3);
        let output = child.wait_with_output().await.unwrap();
        if output.status.success() {
            return deaths;
        }
        assert!(output.status.code().is_none(), "{}", worker::complaint(&output));
    }
    panic!("twenty workers were killed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_kills_its_program_is_set_aside_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("runs.sqlite");
    let store = SqliteStore::open(&database).unwrap();
    let fuse = |name| Fuse::runner().store(store.clone()).run_id(name);
    let state = |is_lit| FuseState { is_lit, ..FuseState::default() };
    fuse("lit").submit(&state(true)).await.unwrap();
    fuse("wet").submit(&state(false)).await.unwrap();
    submit_counters(&store).await;
    let server = ModelServer::start().await;
    assert_eq!(work_to_the_end(&database, &server).await, 3);

    let ledger = Ledger::read(&database).await;
    assert_eq!(ledger.ended, RUNS as usize);
    let summary = async |run: &str| store.run(&run.parse().unwrap()).await.unwrap().unwrap();
    assert_eq!(summary("wet").await.status.word(), "end");
    let lit = summary("lit").await;
    let why = lit.set_aside.clone().unwrap().why;
    assert!(why.contains("3 programs died") && why.contains("at burn"), "{why}");
    let mut aside = RunFilter::default();
    aside.is_set_aside = Some(true);
    assert_eq!(store.runs(&aside).await.unwrap(), [lit]);

    // It is as dangerous as it was.
    assert!(store.retry(&"lit".parse().unwrap()).await.unwrap());
    assert_eq!(work_to_the_end(&database, &server).await, 3);
    assert!(summary("lit").await.set_aside.is_some());
}

/// No kill leaves time for progress.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_from_outside_set_no_run_aside() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("runs.sqlite");
    submit_counters(&SqliteStore::open(&database).unwrap()).await;
    let server = ModelServer::start().await;
    server.hold_after(0);
    for life in 0..4 {
        let mut child = worker::start_usual_worker(&database, &server.url(life));
        // Of the runs that died twice, it drives one.
        let driven = if life < 2 { RUNS.min(8) as usize } else { 1 };
        server.has_asked(life, driven).await;
        child.kill().await.unwrap();
    }
    server.release();
    let last = worker::start_usual_worker(&database, &server.url(4));
    assert!(last.wait_with_output().await.unwrap().status.success());
    assert_eq!(Ledger::read(&database).await.ended, RUNS as usize);
}

/// Kills that come at random moments. It prints how many runs were hit so often while each was driven as the only
/// suspect that they were set aside, which depends on time. `retry_all` puts them back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_random_kills_set_aside_can_be_put_back() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("runs.sqlite");
    let store = SqliteStore::open(&database).unwrap();
    submit_counters(&store).await;
    let server = ModelServer::start().await;
    let mut random = fastrand::Rng::with_seed(15);
    // As many as the work lasts for.
    let kills = worker::kills(120);
    for life in 0..kills {
        let answers = server.answered() + random.usize(1..=5);
        server.hold_after(answers);
        let mut child = worker::start_usual_worker(&database, &server.url(life));
        let progress = async {
            server.has_asked(life, 1).await;
            server.has_answered(answers).await;
        };
        tokio::select! {
            () = progress => {}
            // Nothing is left to do.
            _ = child.wait() => break,
        }
        tokio::time::sleep(Duration::from_micros(random.u64(0..30_000))).await;
        child.kill().await.unwrap();
    }
    let aside = store.retry_all(&RunFilter::default()).await.unwrap();
    println!("{} of {RUNS} runs were set aside at {kills} kills", aside.len());
    server.release();
    let last = worker::start_usual_worker(&database, &server.url(kills));
    assert!(last.wait_with_output().await.unwrap().status.success());
    assert_eq!(Ledger::read(&database).await.ended, RUNS as usize);
}

fn counter(store: &SqliteStore) -> Runner<Counter> {
    let number = |prompt: &str| {
        let (_, rest) = prompt.split_once("run ").unwrap();
        let (_, rest) = rest.split_once(" step ").unwrap();
        rest.split_once('.').unwrap().0.parse::<u32>().unwrap()
    };
    let model =
        ScriptedModel::from_fn(move |request| json!({ "number": number(request.prompt()) }));
    Counter::runner().model(model).store(store.clone())
}

/// The failures of the store that a worker reports.
#[derive(Clone, Default)]
pub(crate) struct Failures(Arc<Mutex<Vec<String>>>);

impl Failures {
    fn listen(&self) -> impl Fn(&WorkerEvent) + Send + Sync + 'static {
        let failures = Arc::clone(&self.0);
        move |event| {
            if matches!(event, WorkerEvent::StoreFailed { .. }) {
                failures.lock().unwrap().push(event.to_string());
            }
        }
    }

    /// Waits until the store has failed.
    async fn first(&self) -> String {
        loop {
            if let Some(failure) = self.0.lock().unwrap().first() {
                return failure.clone();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// A full disk stops the work of a worker, and nothing else.
pub(crate) async fn works_on_after(database: &Path, fill: impl FnOnce(), free: impl FnOnce()) {
    let store = SqliteStore::open(database).unwrap();
    submit_counters(&store).await;
    fill();
    let failures = Failures::default();
    let worker = counter(&store).worker(store.clone()).observe(failures.listen());
    let all_ended = async {
        let failure = failures.first().await;
        assert!(failure.contains("full"), "{failure}");
        free();
        let mut left = RunFilter::default();
        (left.is_ended, left.limit) = (Some(false), Some(1));
        while !store.runs(&left).await.unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    worker.run_until(all_ended).await.unwrap();
    let ledger = Ledger::read(database).await;
    assert_eq!(ledger.replies.len(), (RUNS * STEPS) as usize);
}

#[tokio::test]
async fn a_store_that_disappears_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("store");
    std::fs::create_dir(&place).unwrap();
    let store = SqliteStore::open(place.join("runs.sqlite")).unwrap();
    submit_counters(&store).await;
    std::fs::rename(&place, folder.path().join("moved")).unwrap();
    let failures = Failures::default();
    let worker = counter(&store).worker(store.clone()).observe(failures.listen());
    let put_back = async {
        let failure = failures.first().await;
        assert!(failure.contains("runs.sqlite") && failure.contains("does not exist"), "{failure}");
        std::fs::rename(folder.path().join("moved"), &place).unwrap();
        while store.run(&"run-19".parse().unwrap()).await.unwrap().unwrap().status == Status::Queued
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    worker.run_until(put_back).await.unwrap();
    // What was not finished is there.
    counter(&store).worker(store.clone()).run_until_idle().await.unwrap();
    assert_eq!(Ledger::read(&place.join("runs.sqlite")).await.ended, RUNS as usize);

    std::fs::remove_dir_all(&place).unwrap();
    let error = counter(&store).worker(store).run_until_idle().await.unwrap_err();
    assert!(error.to_string().contains("does not exist"), "{error}");
    assert!(matches!(SqliteStore::open(place.join("runs.sqlite")), Err(StoreError::Failed { .. })));
}
