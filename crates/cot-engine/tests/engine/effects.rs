//! Functions whose call must not be repeated when it is not known whether it took effect.

use cot_engine::{
    Effect, Event, EventOutcome, FunctionError, HaltReason,
    private::{Ending, OnRoutes},
};
use serde_json::json;

use crate::harness::{Run, code, end, process, runs, said_by_test, sub_process};

process! {
    Shop {
        pay: runs(Effect::Once, said_by_test)
            .result()
            .max_retries(1)
            .on(OnRoutes {
                interrupted: Some(Self::unknown),
                exhausted: Some(Self::lost),
                ..OnRoutes::NONE
            })
            .next(&[Self::done]),
        unknown: end(),
        lost: end(),
        done: end(),
    }
}

fn shop() -> Run {
    Run::start::<Shop>(json!({}))
}

fn announce(run: &mut Run) -> EventOutcome {
    let id = run.only().id;
    run.handle(Event::Started { id })
}

#[test]
fn a_call_is_announced_before_it_is_made() {
    let mut run = shop();
    let call = run.only();
    assert_eq!((call.function().effect(), call.function().is_started()), (Effect::Once, false));
    run.survives();
    assert_eq!(announce(&mut run), EventOutcome::Applied);
    let started = run.only();
    assert_eq!((started.id, started.function().is_started()), (call.id, true));
    run.survives();
    assert_eq!(announce(&mut run), EventOutcome::Stale);
    run.finish_function(Ok(json!(5)));
    assert_eq!(run.ending(), Ending::End("done"));
    assert_eq!(run.state()["pay"], 5);
}

#[test]
fn a_started_call_of_a_driver_that_is_gone_is_interrupted() {
    let mut run = shop();
    let id = run.only().id;
    assert_eq!(run.handle(Event::Interrupted { id }), EventOutcome::Stale, "it is not started");
    announce(&mut run);
    let mut run = run.resumed();
    assert!(run.only().function().is_started());
    assert_eq!(run.handle(Event::Interrupted { id }), EventOutcome::Applied);
    assert_eq!(run.ending(), Ending::End("unknown"));
    assert_eq!(run.last_failure().unwrap().reason, HaltReason::Interrupted);
    assert!(run.state()["pay"].is_null());
}

#[test]
fn an_error_that_says_that_nothing_was_done_is_retried_with_an_announcement() {
    let mut run = shop();
    let declined = || Err(FunctionError::not_done("declined"));
    announce(&mut run);
    run.finish_function(declined());
    run.survives();
    run.wake();
    let again = run.only();
    assert_eq!((again.attempt(), again.function().is_started()), (2, false));
    announce(&mut run);
    run.finish_function(declined());
    assert_eq!(run.ending(), Ending::End("lost"));
    assert_eq!(run.last_failure().unwrap().attempts.len(), 2);
}

#[test]
fn an_error_that_does_not_say_what_became_of_the_effect_is_an_interruption() {
    let mut run = shop();
    announce(&mut run);
    run.fail_function("connection reset");
    run.survives();
    assert_eq!(run.ending(), Ending::End("unknown"));
    assert_eq!(run.last_failure().unwrap().reason, HaltReason::Interrupted);
}

#[test]
fn a_bad_answer_of_a_call_that_took_effect_exhausts_the_task_at_once() {
    let mut run = shop();
    announce(&mut run);
    run.finish_function(Err(FunctionError::done("no receipt")));
    run.survives();
    assert_eq!(run.ending(), Ending::End("lost"));
    assert_eq!(run.last_failure().unwrap().attempts.len(), 1);
}

process! {
    Room {
        book: runs(Effect::Transaction, said_by_test).result().next(&[Self::pay]),
        pay: code().next(&[Self::done]),
        done: end(),
    }
}

process! {
    Stay {
        room: sub_process::<Room>().max_retries(2).next(&[Self::done]),
        done: end(),
    }
}

process! {
    Trip {
        stay: sub_process::<Stay>().max_retries(2).next(&[Self::done]),
        done: end(),
    }
}

#[test]
fn a_sub_process_whose_rows_are_committed_is_not_started_again() {
    let mut run = Run::start::<Trip>(json!({ "start": { "start": {} } }));
    let broken = || Err(FunctionError::not_done("broken"));
    // Nothing is committed: all is done again.
    run.finish_function(broken());
    assert_eq!(run.only().key.to_string(), "stay#1/room#1@2/book#1@1");
    run.finish_function(Ok(json!(5)));
    let mut run = run.resumed();
    assert_eq!(run.only().key.to_string(), "stay#1/room#1@2/pay#1@1");
    run.finish_function(broken());
    assert!(matches!(run.ending(), Ending::Halted(_)), "{:?}", run.ending());
}
