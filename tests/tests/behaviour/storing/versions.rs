//! Runs that go on under changed code.

use cot_core::{
    ConflictKind, Migration, Process, ResumeOptions, RunError, RunReport, Runner, SnapshotError,
    prelude::*,
    store::{MemoryStore, Record, Store},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    drive::{Note, note},
    running::{Asked, until_waiting},
    working::seen::Seen,
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Draft {
    pub(crate) notes: Vec<Note>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Signed {
    pub(crate) notes: Vec<Note>,
    pub(crate) by: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
pub(crate) struct Verdict {
    is_good: bool,
}

/// The process under a declaration that differs a little from the one that began the run.
macro_rules! letter {
    ($module:ident, $state:ident, $prompt:literal, $read:ty, $last:ident) => {
        mod $module {
            use super::*;

            cot_process! {
                pub(crate) process Letter {
                    state: $state,
                    task write -> Note { prompt: "Write.", update: { notes[] = output }, next: read }
                    task read -> $read { prompt: $prompt, next: $last }
                    task $last { end }
                }
            }
        }
    };
}

letter!(present, Draft, "Read.", Note, done);
letter!(reworded, Draft, "Read well.", Note, done);
letter!(rerouted, Draft, "Read.", Note, sent);
letter!(signed, Signed, "Read.", Note, done);
letter!(retyped, Draft, "Read.", Verdict, done);

/// A run that has written a note, and waits for the next reply.
fn begun() -> MemoryStore {
    let store = MemoryStore::default();
    let runner = present::Letter::runner().model(Asked::times(1, note("a", 1)));
    let mut run = runner.store(store.clone()).run_id("letter").start(Draft::default()).unwrap();
    until_waiting(&mut run);
    store
}

/// A run that waits for the next reply after one that was rejected, which is in the journal.
fn rejected() -> MemoryStore {
    let store = MemoryStore::default();
    let model = Asked::in_order([note("a", 1), json!("no note")]);
    let runner = present::Letter::runner().model(model).store(store.clone());
    let mut run = runner.run_id("letter").start(Draft::default()).unwrap();
    until_waiting(&mut run);
    store
}

fn runner<P: Process<Context = ()>>(store: &MemoryStore, answer: serde_json::Value) -> Runner<P> {
    Runner::new().model(Asked::always(answer)).store(store.clone())
}

async fn resumed<P: Process<Context = ()>>(
    store: &MemoryStore,
    options: ResumeOptions,
) -> Result<RunReport<P>, RunError> {
    runner(store, note("b", 2)).resume_options(options).resume("letter")?.finish().report().await
}

fn why<P: Process<Context = ()>>(run: Result<RunReport<P>, RunError>) -> Vec<ConflictKind> {
    match run {
        Err(RunError::Snapshot(SnapshotError::Incompatible { conflicts, .. })) => {
            conflicts.into_iter().map(|conflict| conflict.kind).collect()
        }
        other => panic!("{other:?}", other = other.map(|run| run.outcome)),
    }
}

/// The conflict of a state that lacks the field of [`Signed`].
fn is_unsigned(conflicts: &[ConflictKind]) -> bool {
    conflicts.iter().all(|conflict| matches!(conflict, ConflictKind::StateType { .. }))
        && conflicts.len() == 2
}

#[expect(clippy::unnecessary_wraps, reason = "a migration can fail")]
fn sign(run: &mut Migration) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    assert!(run.difference().has_type("Signed"));
    run.state_mut()["by"] = json!("me");
    Ok(())
}

#[tokio::test]
async fn the_same_code_goes_on() {
    let run = resumed::<present::Letter>(&begun(), ResumeOptions::new()).await.unwrap();
    assert_eq!(run.state.notes.len(), 1);
    assert_eq!(run.run_id.as_str(), "letter");
}

/// No reply to the old prompt is in the journal, so the task is asked with the new one.
#[tokio::test]
async fn other_prompts_and_schemas_go_on_where_nothing_was_answered() {
    resumed::<reworded::Letter>(&begun(), ResumeOptions::new()).await.unwrap();
    let runner = runner::<retyped::Letter>(&begun(), json!({ "is_good": true }));
    runner.resume("letter").unwrap().await.unwrap();
}

#[tokio::test]
async fn other_prompts_go_on_where_that_is_accepted() {
    let store = rejected();
    let refused = resumed::<reworded::Letter>(&store, ResumeOptions::new()).await;
    assert_eq!(why(refused), [ConflictKind::TaskPrompt { task: "read".to_owned() }]);
    let options = ResumeOptions::new().accept_changed_prompts();
    resumed::<reworded::Letter>(&store, options).await.unwrap();
}

#[tokio::test]
async fn a_run_that_is_over_gives_its_end_under_other_prompts() {
    let store = begun();
    let end = resumed::<present::Letter>(&store, ResumeOptions::new()).await.unwrap();
    let again = resumed::<reworded::Letter>(&store, ResumeOptions::new()).await.unwrap();
    assert_eq!(again.state, end.state);
    let refused = resumed::<rerouted::Letter>(&store, ResumeOptions::new()).await;
    assert_eq!(why(refused), [ConflictKind::EndTask { task: "done".to_owned() }]);
}

/// It starts its task again, with the present prompts.
#[tokio::test]
async fn a_halted_run_that_begins_again_is_not_over() {
    let store = begun();
    let halting = runner::<present::Letter>(&store, json!("no note")).resume("letter").unwrap();
    assert!(matches!(
        halting.finish().report().await.unwrap().outcome,
        present::LetterOutcome::Halted(_)
    ));
    let end = resumed::<reworded::Letter>(&store, ResumeOptions::new()).await.unwrap();
    assert!(matches!(end.outcome, reworded::LetterOutcome::Halted(_)));
    let again = || ResumeOptions::new().retry_halted();
    let run = resumed::<reworded::Letter>(&store, again()).await.unwrap();
    assert!(matches!(run.outcome, reworded::LetterOutcome::Done));
}

#[tokio::test]
async fn another_graph_goes_on_by_its_own_routes() {
    let run = resumed::<rerouted::Letter>(&begun(), ResumeOptions::new()).await.unwrap();
    assert!(matches!(run.outcome, rerouted::LetterOutcome::Sent));
}

#[tokio::test]
async fn another_state_goes_on_with_a_migration() {
    let store = begun();
    let refused = resumed::<signed::Letter>(&store, ResumeOptions::new()).await;
    assert!(is_unsigned(&why(refused)));
    // The refusal has changed nothing.
    assert!(is_unsigned(&why(resumed::<signed::Letter>(&store, ResumeOptions::new()).await)));
    let options = ResumeOptions::new().migrate(sign);
    let run = resumed::<signed::Letter>(&store, options).await.unwrap();
    assert_eq!(run.state.by, "me");
    // From then on it is a run of the new code.
    let again = resumed::<signed::Letter>(&store, ResumeOptions::new()).await.unwrap();
    assert_eq!(again.state, run.state);
}

#[tokio::test]
async fn a_fork_with_another_state_goes_through_the_migration() {
    let store = begun();
    let options = ResumeOptions::new().migrate(sign);
    let runner = runner::<signed::Letter>(&store, note("b", 2));
    let fork = runner.clone().resume_options(options).run_id("fork").fork("letter", 1).unwrap();
    let fork = fork.change_state(|state| state.by.push_str(" too")).create().await.unwrap();
    assert_eq!(fork.await.unwrap().state.by, "me too");
    // It is a run of the new code, though it was not the first that made it.
    assert_eq!(runner.resume("fork").unwrap().await.unwrap().state.by, "me too");
}

#[tokio::test]
async fn a_fork_that_could_not_go_on_is_not_made() {
    let store = begun();
    let fork = runner::<signed::Letter>(&store, note("b", 2)).run_id("fork").fork("letter", 1);
    let fork = fork.unwrap().change_state(|state| state.by.clear());
    let refused = fork.create().await.map(drop).unwrap_err();
    let RunError::Snapshot(SnapshotError::Incompatible { conflicts, .. }) = &refused else {
        panic!("{refused}")
    };
    assert!(conflicts.iter().any(|it| it.to_string().contains("the type `Signed`")), "{refused}");
    assert!(store.run(&"fork".parse().unwrap()).await.unwrap().is_none());
}

#[tokio::test]
async fn other_schemas_are_named() {
    let refused = resumed::<retyped::Letter>(&rejected(), ResumeOptions::new()).await;
    assert_eq!(why(refused), [ConflictKind::TaskSchema { task: "read".to_owned() }]);
}

#[tokio::test]
async fn refused_runs_do_not_keep_others_from_going_on() {
    let store = rejected();
    let mut other = runner::<reworded::Letter>(&store, note("b", 2))
        .model(Asked::never())
        .run_id("new")
        .start(Draft::default())
        .unwrap();
    until_waiting(&mut other);
    drop(other);
    let seen = Seen::default();
    let worker = runner::<reworded::Letter>(&store, note("b", 2)).worker(store.clone());
    worker.observe(seen.listen()).run_until_idle().await.unwrap();
    assert_eq!(seen.runs("incompatible"), ["letter"]);
    assert_eq!(seen.runs("ended"), ["new"]);
    let left = store.run(&"letter".parse().unwrap()).await.unwrap().unwrap();
    assert_eq!(left.set_aside, None, "the right version of the program finds it");
}

#[tokio::test]
async fn what_panics_while_a_run_is_resumed_is_its_error() {
    let store = begun();
    let options = ResumeOptions::new().on_resume(|_: &mut Draft| panic!("no secret is there"));
    let runner = runner::<present::Letter>(&store, note("b", 2)).resume_options(options);
    for _ in 0..2 {
        let error = runner.resume("letter").unwrap().await.unwrap_err();
        assert!(matches!(&error, RunError::Panicked { said, .. } if said.contains("no secret")));
    }
}

#[tokio::test]
async fn a_reply_to_another_question_is_refused() {
    let store = super::ledger::Ledger::default();
    store.at(2, super::ledger::Fate::CutBefore);
    let runner = present::Letter::runner().model(Asked::always(note("a", 1)));
    let runner = runner.store(store.clone());
    let run = runner.clone().run_id("letter").run(Draft::default());
    tokio::select! {
        _ = run => panic!("it should have been cut"),
        () = store.cut() => {}
    }
    assert_eq!(store.records("letter").await.len(), 2);
    store.edit(|record| {
        if let Record::Event(event) = record {
            event.asked.as_mut().unwrap().key = "other#1@1".to_owned().try_into().unwrap();
        }
    });
    let error = runner.resume("letter").unwrap().await.unwrap_err();
    let RunError::Diverged { entry, answers, asks, .. } = &error else { panic!("{error}") };
    assert_eq!((*entry, answers.as_str(), asks.as_str()), (1, "other#1@1", "write#1@1"));
    assert!(!store.run(&"letter".parse().unwrap()).await.unwrap().unwrap().is_driven);
}
