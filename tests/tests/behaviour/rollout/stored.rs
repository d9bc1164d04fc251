//! Stored runs of an earlier version: what is in the journal after the last step, questions, timers and forks.

use std::time::Duration;

use cot_core::{
    ConflictKind, Process, ResumeOptions, RunError, RunReport, Runner, SnapshotError,
    store::{MemoryStore, RunId, Status, Store, StoreError},
};
use serde_json::{Value, json};

use super::{Cart, driven, first, gone, grown, other_kinds, reshaped, reworded};
use crate::{
    drive::{go, note},
    running::{Asked, until_waiting},
};

fn id() -> RunId {
    "order".parse().unwrap()
}

/// A stored run of the first version that had these replies and waits.
fn waiting(replies: impl IntoIterator<Item = Value>) -> MemoryStore {
    let store = MemoryStore::default();
    let runner = first::Order::runner().model(Asked::in_order(replies)).store(store.clone());
    let boxes = vec!["red".to_owned(), "blue".to_owned()];
    let mut run = runner.run_id("order").start(Cart { boxes, notes: Vec::new() }).unwrap();
    until_waiting(&mut run);
    store
}

fn runner<P: Process<Context = ()>>(
    store: &MemoryStore,
    replies: impl IntoIterator<Item = Value>,
) -> Runner<P> {
    Runner::new().model(Asked::in_order(replies)).store(store.clone())
}

fn moved(task: &'static str) -> ResumeOptions {
    ResumeOptions::new().migrate(move |run| {
        if run.difference().has_type("Van") {
            run.state_mut()["plate"] = json!("AB 12");
        }
        run.move_to(task);
        Ok(())
    })
}

fn conflicts<P: Process<Context = ()>>(run: Result<RunReport<P>, RunError>) -> Vec<ConflictKind> {
    match run {
        Err(RunError::Snapshot(SnapshotError::Incompatible { conflicts, .. })) => {
            conflicts.into_iter().map(|conflict| conflict.kind).collect()
        }
        other => panic!("{other:?}", other = other.map(|run| run.outcome)),
    }
}

async fn status(store: &MemoryStore) -> Status {
    store.run(&id()).await.unwrap().unwrap().status
}

#[tokio::test]
async fn a_run_goes_on_under_a_grown_graph() {
    let store = waiting([go("spare"), note("s", 1), go("pack")]);
    let replies = [note("p", 1), note("l", 1), go("done")];
    let run = runner::<grown::Order>(&store, replies).resume("order").unwrap().await.unwrap();
    assert_eq!(run.state.notes.len(), 3);
    assert!(matches!(run.outcome, grown::OrderOutcome::Done));
}

#[tokio::test]
async fn a_reply_in_the_journal_was_made_for_the_old_prompt_and_schema() {
    let store = waiting([go("pack"), json!("no note")]);
    let prompt = ConflictKind::TaskPrompt { task: "pack".to_owned() };
    let replies = || [note("p", 1), go("done")];
    let refused = runner::<reworded::Order>(&store, replies()).resume("order").unwrap().await;
    assert_eq!(conflicts(refused), [prompt]);
    let schema = ConflictKind::TaskSchema { task: "pack".to_owned() };
    let refused = runner::<reshaped::Order>(&store, replies()).resume("order").unwrap().await;
    assert_eq!(conflicts(refused), [schema]);
    let options = ResumeOptions::new().accept_changed_prompts();
    let runner = runner::<reworded::Order>(&store, replies()).resume_options(options);
    assert_eq!(runner.resume("order").unwrap().await.unwrap().state.notes.len(), 1);
}

/// The task has another kind, so that what is in the journal answers nothing any more.
#[tokio::test]
async fn a_replay_that_no_longer_fits_diverges() {
    let store = waiting([go("pack"), json!("no note")]);
    let options = ResumeOptions::new().accept_changed_prompts();
    let runner = runner::<other_kinds::Order>(&store, []).resume_options(options);
    let refused = runner.resume("order").unwrap().await;
    let error = refused.map(drop).unwrap_err();
    assert!(matches!(&error, RunError::Diverged { .. }), "{error}");
}

#[tokio::test]
async fn replies_to_calls_that_a_migration_drops_are_not_replayed() {
    let store = waiting([go("pack"), json!("no note")]);
    let runner = runner::<gone::Order>(&store, [go("done")]).resume_options(moved("choose"));
    let run = runner.resume("order").unwrap().await.unwrap();
    assert!(matches!(run.outcome, gone::OrderOutcome::Done));
    // The journal is read as a whole again, without options.
    let runner = Runner::<gone::Order>::new().model(Asked::never()).store(store);
    assert!(matches!(
        runner.resume("order").unwrap().await.unwrap().outcome,
        gone::OrderOutcome::Done
    ));
}

#[tokio::test]
async fn a_migration_is_stored_at_once() {
    let store = waiting([go("pack")]);
    let runner = |replies: &[Value]| runner::<driven::Order>(&store, replies.to_vec());
    let mut run = runner(&[]).resume_options(moved("pack")).resume("order").unwrap();
    until_waiting(&mut run);
    drop(run);
    let run = runner(&[note("p", 1), go("done")]).resume("order").unwrap().await.unwrap();
    assert_eq!(run.state.plate, "AB 12");
}

#[tokio::test]
async fn a_question_asked_with_the_old_prompt_is_asked_again_after_a_move() {
    let store = waiting([go("approve")]);
    let Status::Asking { key, question, .. } = status(&store).await else { panic!("not asking") };
    assert!(question.contains("Fine?"));
    let runner = runner::<reworded::Order>(&store, [go("done")]);
    let refused = runner.clone().resume("order").unwrap().await;
    assert_eq!(conflicts(refused), [ConflictKind::TaskPrompt { task: "approve".to_owned() }]);

    let mut run = runner.resume_options(moved("approve")).resume("order").unwrap();
    until_waiting(&mut run);
    let Status::Asking { key: again, question, .. } = status(&store).await else {
        panic!("not asking")
    };
    assert_eq!((key.to_string(), again.to_string()), ("approve#1@1".into(), "approve#2@1".into()));
    assert!(question.contains("All well?"));
    let late = store.put_answer(&id(), &key, note("old", 1)).await;
    assert!(matches!(late, Err(StoreError::NotAsked { .. })), "{late:?}");
    store.put_answer(&id(), &again, note("new", 1)).await.unwrap();
    let run = run.await.unwrap();
    assert_eq!(run.state.notes.iter().map(|note| &*note.text).collect::<Vec<_>>(), ["new"]);
}

#[tokio::test]
async fn an_accepted_question_keeps_its_key() {
    let store = waiting([go("approve")]);
    let Status::Asking { key, .. } = status(&store).await else { panic!("not asking") };
    store.put_answer(&id(), &key, note("old", 1)).await.unwrap();
    let options = ResumeOptions::new().accept_changed_prompts();
    let runner = runner::<reworded::Order>(&store, [go("done")]).resume_options(options);
    assert_eq!(runner.resume("order").unwrap().await.unwrap().state.notes[0].text, "old");
}

#[tokio::test]
async fn a_question_elsewhere_unchanged_keeps_waiting() {
    let store = waiting([go("approve")]);
    let before = status(&store).await;
    let mut run = runner::<grown::Order>(&store, []).resume("order").unwrap();
    until_waiting(&mut run);
    assert_eq!(status(&store).await, before);
}

#[tokio::test(start_paused = true)]
async fn a_timer_goes_on_and_a_move_ends_it() {
    let store = waiting([go("rest")]);
    assert!(matches!(status(&store).await, Status::Sleeping { .. }));
    let mut run = runner::<grown::Order>(&store, []).resume("order").unwrap();
    until_waiting(&mut run);
    assert!(matches!(status(&store).await, Status::Sleeping { .. }));
    drop(run);
    let options = moved("choose");
    let runner = runner::<gone::Order>(&store, [go("done")]).resume_options(options);
    let run = runner.resume("order").unwrap();
    let run = tokio::time::timeout(Duration::from_secs(1), run.finish()).await.unwrap().unwrap();
    assert!(matches!(run.outcome, gone::OrderOutcome::Done));
}

#[tokio::test]
async fn a_fork_is_moved_before_its_state_is_changed() {
    let store = waiting([go("spare"), note("s", 1), go("pack")]);
    let runner = runner::<driven::Order>(&store, [go("done")]);
    let refused = runner.clone().run_id("fork").fork("order", 3).unwrap().create().await;
    assert!(matches!(
        refused.map(drop),
        Err(RunError::Snapshot(SnapshotError::Incompatible { .. }))
    ));
    let fork = runner.resume_options(moved("choose")).run_id("fork").fork("order", 3).unwrap();
    let fork = fork.change_state(|state| state.plate.push_str(" too")).create().await.unwrap();
    let stored = store.run(&"fork".parse().unwrap()).await.unwrap().unwrap();
    assert_eq!(stored.status, Status::Running { task: "choose".to_owned() });
    let run = fork.await.unwrap();
    assert_eq!((run.state.plate.as_str(), run.state.notes.len()), ("AB 12 too", 1));
    // The original is as it was.
    let mut run =
        Runner::<first::Order>::new().model(Asked::never()).store(store).resume("order").unwrap();
    until_waiting(&mut run);
}
