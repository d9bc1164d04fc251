//! Runs that fail are errors, and reports for those who ask.

use std::{
    pin::pin,
    task::{Context, Waker},
};

use cot_core::{
    Ending, FailedRunError, HaltReason, Machine, ResumeOptions, RunError, TaskRun,
    model::{ModelError, ModelErrorKind},
    prelude::*,
    store::MemoryStore,
};
use serde::{Deserialize, Serialize};

use super::{
    Asked, note,
    people::{Approve, asking},
    until_waiting,
};
use crate::drive::Note;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Letter {
    texts: Vec<String>,
    confidential: String,
}

cot_process! {
    pub(crate) process Writing {
        state: Letter,
        max_retries: 0,

        task draft -> Note { update: { texts[] = output.text }, next: polish }

        task polish -> Note {
            update: { texts[] = output.text },
            next: { broken if state.texts.len() > 1 && state.texts[1] == "bad", done },
        }

        task done { end }
        task broken { fail: "the second text is ${state.texts[1]}" }
    }
}

/// A model that drafts, and is unreachable then.
fn breaking() -> Asked {
    let asked = std::sync::atomic::AtomicBool::new(false);
    Asked::new(move |_| {
        let is_first = !asked.swap(true, std::sync::atomic::Ordering::SeqCst);
        async move {
            if is_first {
                return Ok(note("a").into());
            }
            let refused = std::io::Error::other("connection refused");
            Err(ModelError::new(ModelErrorKind::Connection, "nothing listens").with_source(refused))
        }
    })
}

fn secret() -> Letter {
    Letter { texts: Vec::new(), confidential: "the code is 1234".to_owned() }
}

fn failed(error: RunError) -> FailedRunError {
    match error {
        RunError::Failed(failed) => failed,
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn a_run_that_halts_is_an_error_that_holds_the_report() {
    let error = Writing::runner().model(breaking()).run(secret()).await.unwrap_err();
    let failed = failed(error);
    assert_eq!((failed.process(), failed.usage().calls), ("Writing", 2));
    let Ending::Halted(halt) = failed.ending() else { panic!("{failed}") };
    assert_eq!(halt.task, "polish");
    assert!(matches!(halt.reason, HaltReason::Unreachable(_)), "{failed}");
    // It is no report of another process.
    assert!(failed.report::<RunReport<Approve>>().is_none());
    let failed = failed.into_report::<RunReport<Approve>>().unwrap_err();
    let report = failed.report::<RunReport<Writing>>().unwrap();
    assert_eq!((&report.run_id, report.usage), (failed.run_id(), failed.usage()));
    let report = failed.into_report::<RunReport<Writing>>().unwrap();
    assert_eq!(report.state.texts, ["a"]);
    assert_eq!(report.outcome.why(), report.why());
    assert!(report.outcome.halt().is_some());
}

#[tokio::test]
async fn a_halted_run_continues_from_the_snapshot_in_its_error() {
    let error = Writing::runner().model(breaking()).run(secret()).await.unwrap_err();
    let report = failed(error).into_report::<RunReport<Writing>>().unwrap();
    let options = ResumeOptions::default().retry_halted();
    let machine = Machine::<Writing>::resume(report.snapshot.unwrap(), options).unwrap();
    let runner = Writing::runner().model(Asked::always(note("b")));
    let run = runner.run_machine(machine).await.unwrap();
    assert_eq!(
        (run.outcome, run.state.texts),
        (WritingOutcome::Done, vec!["a".into(), "b".into()])
    );
    assert!(run.snapshot.is_none());
}

#[tokio::test]
async fn a_fail_task_is_an_error_too_and_its_message_says_why() {
    let model = || Asked::in_order([note("a"), note("bad")]);
    let error = Writing::runner().model(model()).run(Letter::default()).await.unwrap_err();
    let said = "` of `Writing` failed at task `broken`: the second text is bad";
    assert!(error.to_string().ends_with(said), "{error}");
    let report = Writing::runner().model(model()).report(Letter::default()).await.unwrap();
    assert_eq!(report.why().as_deref(), Some("the second text is bad"));
    assert_eq!(report.outcome.why(), report.why());
    assert!(report.snapshot.is_none());
    assert!(matches!(report.into_result(), Err(RunError::Failed(_))));

    let report = Writing::runner().model(Asked::always(note("a"))).report(Letter::default());
    let report = report.await.unwrap();
    assert_eq!((report.why(), report.outcome.why()), (None, None));
    assert_eq!(report.into_result().unwrap().outcome, WritingOutcome::Done);
}

#[tokio::test]
async fn errors_that_leave_main_are_sentences() {
    let runner = Writing::runner().model(breaking()).store(MemoryStore::default());
    let error = runner.run_id("letter-1").run(secret()).await.unwrap_err();
    let said = "run `letter-1` of `Writing` halted at task `polish`: the model could not be reached: \
                nothing listens: connection refused";
    assert_eq!(format!("{error:?}"), said);
    assert_eq!(format!("{error:#?}"), said);
    assert_eq!(format!("{:?}", failed(error)), said);

    let runner = Writing::runner().store(MemoryStore::default());
    let error = runner.run(Letter::default()).await.unwrap_err();
    assert_eq!(
        format!("{error:?}"),
        "no default model, needed by `draft`, `polish`; no engine id is registered"
    );
    let unknown = Writing::runner().model(breaking()).store(MemoryStore::default());
    let error = unknown.resume("letter-2").unwrap().await.unwrap_err();
    assert_eq!(format!("{error:?}"), "there is no run `letter-2`");
}

#[tokio::test]
async fn the_same_holds_for_steps_and_stored_runs() {
    let store = MemoryStore::default();
    let runner = Writing::runner().model(breaking()).store(store.clone()).run_id("letter");
    let mut active = runner.start(secret()).unwrap();
    while active.step().await.is_some() {}
    assert!(matches!(active.finish().await, Err(RunError::Failed(_))));
    // It has ended: its end is read from the store.
    let stored = || Writing::runner().model(Asked::never()).store(store.clone());
    let error = stored().resume("letter").unwrap().await.unwrap_err();
    assert_eq!(failed(error).run_id().as_str(), "letter");
    let error = stored().run_id("letter").run(secret()).await.unwrap_err();
    let report = failed(error).into_report::<RunReport<Writing>>().unwrap();
    assert_eq!(report.state.texts, ["a"]);
    let report = stored().resume("letter").unwrap().finish().report().await.unwrap();
    assert!(report.why().is_some());
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_run_has_failed_and_one_that_waits_has_not() {
    let mut active = Writing::runner().model(Asked::never()).start(secret()).unwrap();
    until_waiting(&mut active);
    active.handle().cancel("enough");
    let error = active.await.unwrap_err();
    assert!(error.to_string().ends_with("task `draft`: cancelled: enough"), "{error}");

    let (active, _handle) = asking();
    let mut waiting = pin!(active.finish());
    assert!(waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
}

#[tokio::test]
async fn a_task_that_fails_alone_is_an_error_with_its_result() {
    let runner = Writing::runner().model(Asked::always("no".into()));
    let error = runner.run_task(WritingTask::Draft, secret()).await.unwrap_err();
    let run = failed(error).into_report::<TaskRun<Writing>>().unwrap();
    assert!(matches!(run.halt().unwrap().reason, HaltReason::Exhausted), "{run:?}");
    assert_eq!(run.attempts.len(), 1);
    let run = runner.run_task(WritingTask::Draft, secret()).report().await.unwrap();
    assert!(run.halt().is_some());

    let state = Letter { texts: vec!["a".into(), "bad".into()], ..secret() };
    let error = runner.run_task(WritingTask::Broken, state).await.unwrap_err();
    assert!(error.to_string().ends_with("`broken`: the second text is bad"), "{error}");
}

#[test]
fn the_error_is_small() {
    assert!(size_of::<RunError>() <= 128, "{}", size_of::<RunError>());
}
