//! Functions.

use std::{convert::Infallible, io, time::Duration};

use cot_core::{HaltReason, PanicPlace, RunEvent, prelude::*};
use serde::{Deserialize, Serialize};

use super::{Count, shown, until_waiting};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Work {
    order: String,
    done: Vec<String>,
    #[serde(skip)]
    calls: Count,
}

cot_process! {
    pub(crate) process Workshop {
        state: Work,

        task work -> String {
            run: work,
            timeout: 10s,
            max_retries: 1,
            update: { done[] = output },
            on: { timeout => late },
            next: done,
        }

        task late { run: count, next: done }
        task done { end }
    }
}

async fn work(work: &Work) -> Result<String, io::Error> {
    let _guard = work.calls.enter();
    match work.order.as_str() {
        "fail" => Err(io::Error::other("no wood")),
        "fail once" if work.calls.all() == 1 => Err(io::Error::other("no wood")),
        "panic" => panic!("the saw of {} broke", "Ada"),
        "hang" => std::future::pending().await,
        order => Ok(order.to_uppercase()),
    }
}

async fn count(work: &Work) -> Result<(), Infallible> {
    drop(work.calls.enter());
    Ok(())
}

fn order(text: &str) -> (Work, Count) {
    let work = Work { order: text.into(), ..Work::default() };
    let calls = work.calls.clone();
    (work, calls)
}

async fn halted(text: &str) -> (HaltReason, Count) {
    let (work, calls) = order(text);
    let run = Workshop::runner().report(work).await.unwrap();
    let WorkshopOutcome::Halted(halt) = run.outcome else { panic!("{:?}", run.outcome) };
    assert_eq!(halt.attempts.len(), 2, "{halt:?}");
    assert!(run.state.done.is_empty());
    (halt.reason, calls)
}

#[tokio::test]
async fn what_a_function_returns_is_committed() {
    let (work, calls) = order("table");
    let run = Workshop::runner().run(work).await.unwrap();
    assert_eq!((shown(&run.outcome), run.state.done), ("Done".into(), vec!["TABLE".into()]));
    assert_eq!((calls.all(), run.usage.calls), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn a_function_that_fails_is_tried_as_often_as_the_task_says() {
    let (reason, calls) = halted("fail").await;
    let HaltReason::CodeFailed(error) = reason else { panic!("{reason:?}") };
    assert_eq!((error.to_string(), calls.all()), ("no wood".into(), 2));

    let (work, calls) = order("fail once");
    let run = Workshop::runner().report(work).await.unwrap();
    assert_eq!((run.state.done, calls.all()), (vec!["FAIL ONCE".to_owned()], 2));
}

#[tokio::test]
async fn a_panic_is_tried_again_as_an_error_is_and_says_what_it_said() {
    let (reason, calls) = halted("panic").await;
    let HaltReason::Panicked(panic) = reason else { panic!("{reason:?}") };
    assert_eq!((panic.place, &*panic.message), (PanicPlace::Function, "the saw of Ada broke"));
    assert_eq!((calls.all(), calls.now()), (2, 0));
}

#[tokio::test(start_paused = true)]
async fn a_function_that_never_returns_is_dropped_when_its_time_is_over() {
    let (work, calls) = order("hang");
    let began = tokio::time::Instant::now();
    let run = Workshop::runner().run(work).await.unwrap();
    assert_eq!((shown(&run.outcome), calls.now()), ("Done".into(), 0));
    // The time-out has its own route, and the limit holds for all attempts together.
    assert_eq!((began.elapsed(), calls.all()), (Duration::from_secs(10), 2));
}

#[tokio::test(start_paused = true)]
async fn cancelling_drops_the_function() {
    let (work, calls) = order("hang");
    let mut active = Workshop::runner().start(work).unwrap();
    let events = until_waiting(&mut active);
    assert!(matches!(events[..], [RunEvent::TaskStarted { .. }]));
    assert_eq!(calls.now(), 1);
    active.handle().cancel("enough");
    let run = active.finish().report().await.unwrap();
    assert!(shown(&run.outcome).contains("Cancelled(\"enough\")"));
    assert_eq!(calls.now(), 0);
}

#[tokio::test(start_paused = true)]
async fn dropping_the_run_drops_the_function_and_a_snapshot_runs_it_again() {
    let (work, calls) = order("hang");
    let mut active = Workshop::runner().start(work).unwrap();
    until_waiting(&mut active);
    let snapshot = active.snapshot().unwrap();
    drop(active);
    assert_eq!(calls.now(), 0);
    let mut machine =
        cot_core::Machine::<Workshop>::resume(snapshot, cot_core::ResumeOptions::new()).unwrap();
    machine.change_state(|work| work.order = "chair".into());
    let run = Workshop::runner().run_machine(machine).await.unwrap();
    assert_eq!(run.state.done, ["CHAIR"]);
}
