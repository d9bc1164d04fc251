//! Checks of what workers need: submissions, due runs, and runs that are set aside.

use std::{sync::Arc, time::SystemTime};

use cot_store::{DueFilter, RunFilter, RunId, SetAside, Status, Store, StoreError, Submission};
use serde_json::json;

use super::{
    records::{
        answered, asking, at, delta_step, ended, key, running, sleeping, started, started_at,
    },
    support::{
        acquire, append, assert_error, assert_records, assert_unknown_run, create_run, entries,
        fail, id, ok,
    },
};

fn submission(name: &str) -> Submission {
    let state = json!({ "text": "\u{0}ä", "number": 12_345_678_901_234_567_890_u64 });
    let submission = ok(Submission::new("Process", &state, at(0)), "write a state as JSON");
    submission.run_id(id(name)).goal("Be quick.").max_steps(7)
}

async fn is_refused(store: &dyn Store, name: &str) {
    let is_right = |error: &StoreError| matches!(error, StoreError::RunExists { .. });
    assert_error(store.submit(submission(name)).await, is_right, "`RunExists`");
}

/// Returns a time at which all answers are stored.
fn far_future() -> SystemTime {
    at(10_000_000_000)
}

/// Lists the due runs of the sample process at a time.
async fn due_at(store: &dyn Store, now: SystemTime) -> Vec<String> {
    due(store, &DueFilter::new(vec!["Process".to_owned()], now, 100)).await
}

async fn due(store: &dyn Store, filter: &DueFilter) -> Vec<String> {
    let due = ok(store.due(filter).await, "list due runs");
    due.into_iter().map(|due| due.run.to_string()).collect()
}

async fn set_aside(store: &dyn Store, run: &RunId) -> Option<SetAside> {
    ok(store.run(run).await, "load a summary").and_then(|summary| summary.set_aside)
}

pub(super) async fn takes_submissions(store: &dyn Store) {
    let run = ok(store.submit(submission("new")).await, "submit a run");
    assert_eq!(run, id("new"), "a submission has the name that was set");
    let Some(summary) = ok(store.run(&run).await, "load a summary") else {
        fail("a submitted run exists");
    };
    assert_eq!((summary.status, summary.entries), (Status::Queued, 1));
    assert_eq!((summary.begun, &*summary.process), (at(0), "Process"));
    assert_records(&entries(store, &run).await, &[submission("new").into_record().1]);
    let full = store.last_full_snapshot(&run, u64::MAX).await;
    assert_eq!(ok(full, "find a snapshot"), None, "a queued run has no snapshot");

    let unnamed = || Submission::new("Process", &json!(null), at(0));
    let first = ok(store.submit(ok(unnamed(), "write a state")).await, "submit a run");
    let second = ok(store.submit(ok(unnamed(), "write a state")).await, "submit a run");
    assert_ne!(first, second, "generated names differ");
}

pub(super) async fn refuses_names_that_are_taken(store: &dyn Store) {
    ok(store.submit(submission("new")).await, "submit a run");
    is_refused(store, "new").await;
    let (_, lease) = create_run(store, "begun", vec![started()]).await;
    is_refused(store, "begun").await;
    drop(lease);
    is_refused(store, "begun").await;
    let _lease = acquire(store, &id("beginning")).await;
    is_refused(store, "beginning").await;
}

pub(super) async fn begins_a_submitted_run_once(store: &dyn Store) {
    let run = ok(store.submit(submission("new")).await, "submit a run");
    let lease = acquire(store, &run).await;
    append(store, &lease, vec![started()]).await;
    let summary = ok(store.run(&run).await, "load a summary");
    assert_eq!(summary.map(|run| (run.status, run.entries)), Some((running("start"), 2)));
    let full = store.last_full_snapshot(&run, u64::MAX).await;
    assert_eq!(ok(full, "find a snapshot"), Some(1), "it can be read from its start on");
    let submitted = submission("new").into_record().1;
    for second in [started(), submitted] {
        let is_right = |error: &StoreError| matches!(error, StoreError::RunExists { .. });
        assert_error(store.append(&lease, vec![second]).await, is_right, "`RunExists`");
    }
    append(store, &lease, vec![delta_step(1, ended())]).await;
    assert_eq!(entries(store, &run).await.len(), 3);
}

pub(super) async fn lists_due_runs(store: &dyn Store) {
    ok(store.submit(submission("queued")).await, "submit a run");
    let mut question = asking("a#1@1");
    if let Status::Asking { until, .. } = &mut question {
        *until = None;
    }
    let limited = asking("a#1@1");
    let steps: [(&str, u64, Status); 5] = [
        ("running", 1, running("a")),
        ("asking", 2, question),
        ("limited", 3, limited),
        ("sleeping", 4, sleeping()),
        ("ended", 5, ended()),
    ];
    for (name, step, status) in steps {
        drop(create_run(store, name, vec![started(), delta_step(step, status)]).await);
    }
    let (_, driven) = create_run(store, "driven", vec![started()]).await;
    drop(create_run(store, "other", vec![started_at(0, "Other")]).await);

    assert_eq!(due_at(store, at(20)).await, ["queued", "running"], "the oldest come first");
    let Status::Sleeping { until, .. } = sleeping() else { fail("the sample sleeps") };
    let late = until.max(at(600));
    let mut later = due_at(store, late).await;
    later.sort();
    assert_eq!(later, ["limited", "queued", "running", "sleeping"], "their time has come");

    ok(store.put_answer(&id("asking"), &key("a#1@1"), json!(1)).await, "store an answer");
    let answered = ok(store.run(&id("asking")).await, "load a summary");
    assert_eq!(answered.map(|run| run.is_answered), Some(true));
    drop(driven);
    let mut more = due_at(store, far_future()).await;
    more.sort();
    assert_eq!(more, ["asking", "driven", "limited", "queued", "running", "sleeping"]);
}

pub(super) async fn filters_due_runs(store: &dyn Store) {
    for name in ["one", "two", "three"] {
        drop(create_run(store, name, vec![started()]).await);
    }
    drop(create_run(store, "other", vec![started_at(0, "Other")]).await);
    let filter = |processes: &[&str], limit| {
        let processes = processes.iter().map(|name| (*name).to_owned()).collect();
        DueFilter::new(processes, at(600), limit)
    };
    assert_eq!(due(store, &filter(&[], 9)).await, [""; 0]);
    assert_eq!(due(store, &filter(&["Other"], 9)).await, ["other"]);
    assert_eq!(due(store, &filter(&["Process", "Other"], 9)).await.len(), 4);
    assert_eq!(due(store, &filter(&["Process", "Other"], 2)).await.len(), 2);
    assert_eq!(due(store, &filter(&["Process"], 0)).await, [""; 0]);

    let mut skipping = filter(&["Process"], 1);
    skipping.skip = Arc::new([(id("one"), 1), (id("two"), 1), (id("three"), 2)].into());
    assert_eq!(due(store, &skipping).await, ["three"], "its journal has another length");
    let mut uncrashed = filter(&["Process"], 9);
    uncrashed.crashes_below = Some(0);
    assert_eq!(due(store, &uncrashed).await, [""; 0]);
    uncrashed.crashes_below = Some(1);
    assert_eq!(due(store, &uncrashed).await.len(), 3, "no driver has died");
}

/// No answer is lost, whether the run is driven when it is stored or not.
pub(super) async fn keeps_answered_runs_due(store: &dyn Store) {
    let (run, lease) =
        create_run(store, "asks", vec![started(), delta_step(1, asking("a#1@1"))]).await;
    ok(store.put_answer(&run, &key("a#1@1"), json!(1)).await, "store an answer");
    let far = far_future();
    assert_eq!(due_at(store, far).await, [""; 0], "it is driven");
    // The driver has not seen the answer, and records its position again.
    append(store, &lease, vec![delta_step(1, asking("a#1@1"))]).await;
    drop(lease);
    assert_eq!(due_at(store, far).await, ["asks"], "the answer was not taken");
    let lease = acquire(store, &run).await;
    append(store, &lease, vec![answered("a#1@1"), delta_step(2, asking("b#1@1"))]).await;
    drop(lease);
    assert_eq!(due_at(store, at(20)).await, [""; 0], "the answer was taken");
    // A changed program asks another question than the one that was answered.
    ok(store.put_answer(&run, &key("b#1@1"), json!(2)).await, "store an answer");
    let lease = acquire(store, &run).await;
    append(store, &lease, vec![delta_step(3, asking("c#1@1"))]).await;
    drop(lease);
    assert_eq!(due_at(store, at(20)).await, [""; 0], "the present question has no answer");
    let summary = ok(store.run(&run).await, "load a summary");
    assert_eq!(summary.map(|run| run.is_answered), Some(false));
}

pub(super) async fn sets_runs_aside(store: &dyn Store) {
    let (run, lease) = create_run(store, "stuck", vec![started()]).await;
    let reason = SetAside::new("it is \u{0} stuck", at(9));
    ok(store.set_aside(&lease, reason.clone()).await, "set a run aside");
    drop(lease);
    assert_eq!(set_aside(store, &run).await, Some(reason.clone()));
    assert_eq!(due_at(store, at(600)).await, [""; 0], "workers leave it alone");
    let mut filter = RunFilter::default();
    filter.is_set_aside = Some(true);
    assert_eq!(ok(store.runs(&filter).await, "list runs").len(), 1);
    filter.is_set_aside = Some(false);
    assert_eq!(ok(store.runs(&filter).await, "list runs").len(), 0);

    assert!(ok(store.retry(&run).await, "put a run back"), "it was set aside");
    assert!(!ok(store.retry(&run).await, "put a run back"), "it was not set aside any more");
    assert_eq!(set_aside(store, &run).await, None);
    assert_eq!(due_at(store, at(600)).await, ["stuck"]);
    assert_unknown_run(store.retry(&id("nobody")).await);

    let lease = acquire(store, &run).await;
    ok(store.set_aside(&lease, reason.clone()).await, "set a run aside");
    append(store, &lease, vec![delta_step(1, running("b"))]).await;
    assert_eq!(set_aside(store, &run).await, None, "a run that makes progress is not stuck");
    assert_eq!(lease.crashes(), 0);
    drop(lease);
    assert_eq!(due_at(store, at(600)).await, ["stuck"]);

    let unknown = acquire(store, &id("nobody")).await;
    assert_unknown_run(store.set_aside(&unknown, reason.clone()).await);

    // The last entries are such that a store may defer writing its summary.
    let entries = vec![started(), delta_step(1, running("b")), answered("b#1@1")];
    let (run, lease) = create_run(store, "later", entries).await;
    drop(lease);
    let lease = acquire(store, &run).await;
    append(store, &lease, vec![delta_step(2, running("c")), answered("c#1@1")]).await;
    drop(lease);
    let lease = acquire(store, &run).await;
    ok(store.set_aside(&lease, reason.clone()).await, "set a run aside");
    drop(lease);
    assert_eq!(set_aside(store, &run).await, Some(reason), "it is set aside after its progress");
    let mut filter = RunFilter::default();
    filter.process = Some("Other".to_owned());
    assert_eq!(ok(store.retry_all(&filter).await, "put runs back"), [], "of another process");
    filter.process = Some("Process".to_owned());
    assert_eq!(ok(store.retry_all(&filter).await, "put runs back"), std::slice::from_ref(&run));
    assert_eq!(set_aside(store, &run).await, None);
    assert_eq!(ok(store.retry_all(&filter).await, "put runs back"), []);
}
