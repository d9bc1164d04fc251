//! Two processes and one run: the test program starts itself as the second process.

use std::{
    env,
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

use cot_core::store::{DueFilter, Lease, Store, StoreError, Submission};
use cot_sqlite::SqliteStore;
use serde_json::json;

use crate::kit::{Place, answered, asking, at, begun, entries, id, key, run_of, running, whole};

const PATH: &str = "COT_SQLITE_TEST_PATH";

/// The other process.
struct Other {
    child: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Other {
    fn start(path: &Path) -> Self {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "processes::other", "--ignored", "--nocapture"])
            .env(PATH, path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let orders = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self { child, orders, answers }
    }

    /// Sends a command and waits until it is done.
    fn order(&mut self, order: &str) -> String {
        writeln!(self.orders, "{order}").unwrap();
        for line in self.answers.by_ref().lines() {
            // The test harness prints its own lines.
            if let Some((_, answer)) = line.unwrap().split_once("ANSWER ") {
                return answer.to_owned();
            }
        }
        panic!("the other process ended");
    }

    /// Sends a signal.
    #[cfg(unix)]
    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }

    /// SIGKILL, on Unix.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// The second process; the tests below start it.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "it is the other process of the tests of this file"]
async fn other() {
    let store = SqliteStore::open(env::var_os(PATH).expect("started by another test")).unwrap();
    let mut lease: Option<Lease> = None;
    let mut raw: Option<rusqlite::Connection> = None;
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let (order, run) = line.split_once(' ').unwrap();
        let run = id(run);
        let answer = match order {
            "acquire" => store.acquire(&run).await.map(|taken| lease = Some(taken)),
            "begin" => store.append(lease.as_ref().unwrap(), vec![begun()]).await,
            "release" => {
                lease = None;
                Ok(())
            }
            // As if the program were stopped in the middle of a commit.
            "lock" => {
                let path = env::var_os(PATH).expect("started by another test");
                let connection = rusqlite::Connection::open(path).unwrap();
                connection.execute_batch("BEGIN IMMEDIATE").unwrap();
                raw = Some(connection);
                Ok(())
            }
            "answer" => store.put_answer(&run, &key("approve#1@1"), json!(true)).await,
            _ => panic!("no such order: {order}"),
        };
        println!("ANSWER {answer:?}");
    }
    drop(raw);
}

#[tokio::test]
async fn one_process_drives_a_run() {
    let place = Place::new();
    let store = place.open();
    let run = id("wanted");
    let mut other = Other::start(&place.path);
    assert_eq!(other.order("acquire wanted"), "Ok(())");
    assert_eq!(other.order("begin wanted"), "Ok(())");
    let refused = store.acquire(&run).await.unwrap_err();
    let by = format!("process {}", other.child.id());
    assert!(matches!(&refused, StoreError::Leased { by: who, .. } if *who == by), "{refused}");
    assert!(store.run(&run).await.unwrap().unwrap().is_driven);
    assert!(matches!(store.remove(&run).await, Err(StoreError::Leased { .. })));

    assert_eq!(other.order("release wanted"), "Ok(())");
    // The lease is released in the background; the next command comes after that.
    assert_eq!(other.order("acquire another"), "Ok(())");
    assert!(!store.run(&run).await.unwrap().unwrap().is_driven);
    let lease = store.acquire(&run).await.unwrap();
    assert!(other.order("acquire wanted").starts_with("Err(run `wanted` is driven by "));
    drop(lease);
    other.kill();
}

#[tokio::test]
async fn the_runs_of_a_killed_process_are_free_at_once() {
    let place = Place::new();
    let store = place.open();
    let run = id("orphan");
    let mut other = Other::start(&place.path);
    assert_eq!(other.order("acquire orphan"), "Ok(())");
    assert_eq!(other.order("begin orphan"), "Ok(())");
    other.kill();

    assert!(!store.run(&run).await.unwrap().unwrap().is_driven);
    assert_eq!(place.owners(), 1, "the dead left its file behind");
    let lease = store.acquire(&run).await.unwrap();
    assert_eq!(place.owners(), 1, "and it was cleared away for that of the new owner");
    store.append(&lease, vec![whole(1, asking("approve#1@1"))]).await.unwrap();
    assert_eq!(entries(&store, &run).await.len(), 2);
}

/// A stopped program is alive: it keeps its runs, and the database if it was stopped while it wrote.
#[cfg(unix)]
#[tokio::test]
async fn a_stopped_process_keeps_what_it_has_until_it_is_killed() {
    let place = Place::new();
    let options = SqliteStore::options().busy_timeout(Duration::from_millis(50));
    let hasty = options.open(&place.path).unwrap();
    let submit = |run: &str| {
        let submission = Submission::new("Process", &json!({}), at(1)).unwrap().run_id(id(run));
        hasty.submit(submission)
    };
    let mut other = Other::start(&place.path);
    assert_eq!(other.order("acquire wanted"), "Ok(())");
    assert_eq!(other.order("begin wanted"), "Ok(())");
    other.signal("-STOP");
    let refused = hasty.acquire(&id("wanted")).await.unwrap_err();
    assert!(matches!(refused, StoreError::Leased { .. }), "{refused}");
    // It was not writing, so others can write.
    submit("first").await.unwrap();
    other.signal("-CONT");
    assert_eq!(other.order("lock wanted"), "Ok(())");
    other.signal("-STOP");
    let locked = submit("second").await.unwrap_err();
    assert!(matches!(locked, StoreError::Locked { .. }), "{locked}");
    other.kill();
    submit("second").await.unwrap();
    hasty.acquire(&id("wanted")).await.unwrap();
}

#[tokio::test]
async fn deaths_of_drivers_are_counted_until_there_is_progress() {
    let place = Place::new();
    let store = place.open();
    let run = id("deadly");
    let crashes = async || {
        let filter = DueFilter::new(vec!["Process".to_owned()], at(1000), 9);
        let due = store.due(&filter).await.unwrap();
        due.iter().map(|due| (due.entries, due.crashes)).collect::<Vec<_>>()
    };
    let die = |orders: &[&str]| {
        let mut other = Other::start(&place.path);
        for order in orders {
            assert_eq!(other.order(&format!("{order} deadly")), "Ok(())", "{order}");
        }
        other.kill();
    };
    die(&["acquire", "begin"]);
    assert_eq!(crashes().await, [(1, 1)]);
    die(&["acquire"]);
    die(&["acquire"]);
    assert_eq!(crashes().await, [(1, 3)]);
    let mut below = DueFilter::new(vec!["Process".to_owned()], at(1000), 9);
    below.crashes_below = Some(3);
    assert_eq!(store.due(&below).await.unwrap(), []);

    // Progress makes them void.
    let lease = store.acquire(&run).await.unwrap();
    assert_eq!(lease.crashes(), 3);
    store.append(&lease, vec![whole(1, running())]).await.unwrap();
    assert_eq!(crashes().await, [], "it is driven");
    drop(lease);
    assert_eq!(crashes().await, [(2, 0)]);
}

#[tokio::test]
async fn a_lease_that_is_released_ends_the_count_of_deaths() {
    let place = Place::new();
    let store = place.open();
    let mut other = Other::start(&place.path);
    assert_eq!(other.order("acquire deadly"), "Ok(())");
    assert_eq!(other.order("begin deadly"), "Ok(())");
    other.kill();
    let lease = store.acquire(&id("deadly")).await.unwrap();
    assert_eq!(lease.crashes(), 1);
    drop(lease);
    let lease = store.acquire(&id("deadly")).await.unwrap();
    assert_eq!(lease.crashes(), 0);
}

#[tokio::test]
async fn who_lost_a_lease_writes_no_more() {
    let place = Place::new();
    let slow = place.open();
    let (run, lost) = run_of(&slow, "taken", vec![begun()]).await;
    // As after the death of its program: a lock can't be lost otherwise.
    std::fs::remove_dir_all(place.path.with_extension("db.owners")).unwrap();
    let quick = place.open();
    let lease = quick.acquire(&run).await.unwrap();
    assert_ne!(lease.epoch(), lost.epoch());
    let refused = slow.append(&lost, vec![whole(1, asking("a#1@1"))]).await.unwrap_err();
    assert!(matches!(refused, StoreError::LeaseLost { .. }), "{refused}");
    quick.append(&lease, vec![whole(2, asking("a#1@1"))]).await.unwrap();
    drop(lost);
    quick.append(&lease, vec![answered("a#1@1")]).await.unwrap();
    assert_eq!(entries(&quick, &run).await.len(), 3);
}

#[tokio::test]
async fn another_process_answers() {
    let place = Place::new();
    let store = place.open();
    let (run, lease) =
        run_of(&store, "asking", vec![begun(), whole(1, asking("approve#1@1"))]).await;
    let mut other = Other::start(&place.path);
    let waiting = tokio::spawn({
        let (store, run) = (store.clone(), run.clone());
        async move { store.wait_for_answer(&run, &key("approve#1@1")).await }
    });
    assert!(other.order("answer nobody").starts_with("Err(there is no run `nobody`"));
    assert_eq!(other.order("answer asking"), "Ok(())");
    assert_eq!(waiting.await.unwrap().unwrap(), json!(true));
    store.append(&lease, vec![answered("approve#1@1")]).await.unwrap();
    assert!(other.order("answer asking").starts_with("Err(run `asking` does not ask "));
    other.kill();
}

#[cfg(unix)]
#[tokio::test]
async fn a_run_is_driven_whatever_its_database_is_called() {
    let (place, elsewhere) = (Place::new(), tempfile::tempdir().unwrap());
    let store = place.open();
    let link = elsewhere.path().join("link.db");
    std::os::unix::fs::symlink(&place.path, &link).unwrap();
    let mut other = Other::start(&link);
    assert_eq!(other.order("acquire linked"), "Ok(())");
    let refused = store.acquire(&id("linked")).await.unwrap_err();
    assert!(matches!(refused, StoreError::Leased { .. }), "{refused}");
    other.kill();
}
