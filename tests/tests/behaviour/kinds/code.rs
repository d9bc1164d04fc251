//! Code tasks, and timers before tasks.

use std::time::Duration;

use cot_core::{
    Event, EventOutcome, Failure, FunctionError, HaltReason, Machine, MachineOptions, prelude::*,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::drive::{code, ran, run, survives, time_out, timer, times, wake};
use crate::drive::{Note, SECOND, history, note, outcome, started, started_with, state};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Desk {
    notes: Vec<Note>,
    fails: bool,
}

async fn fetch(desk: &Desk) -> Result<Note, FunctionError> {
    match desk.fails {
        true => Err(FunctionError::new("the line is dead")),
        false => Ok(Note { text: format!("after {}", desk.notes.len()), rank: 3 }),
    }
}

async fn tidy(_: &Desk) -> Result<(), FunctionError> {
    Ok(())
}

fn file(note: &Note, desk: &mut Desk) -> Result<(), Issues> {
    desk.fails = true;
    match note.rank {
        0 => Err(Issues::at("rank", "must not be 0")),
        _ => Ok(()),
    }
}

cot_process! {
    process Office {
        state: Desk,
        max_retries: 5,

        task fetch -> Note {
            run: fetch,
            max_retries: 1,
            timeout: 10s,
            update: { notes[] = output },
            process_output: file,
            on: { exhausted => broken, timeout => late },
            next: tidy,
        }

        task tidy { wait: 3s, run: tidy, next: gate }
        task gate { wait: 1500ms, next: done }
        task broken { fail: "the office is closed" }
        task late { end }
        task done { end }
    }
}

fn office() -> Machine<Office> {
    started(Desk::default())
}

/// The pause before another attempt; nothing but its end ends it.
fn backs_off(machine: &mut Machine<Office>) {
    let pause = timer(machine);
    assert_eq!(
        (pause.task, times(&pause).0, times(&pause).1),
        (OfficeTask::Fetch, SECOND / 10, SECOND / 10)
    );
    survives(machine);
    let ran = Event::Ran { id: pause.id, result: Ok(note("early", 1)), elapsed: SECOND };
    assert_eq!(machine.handle(ran), EventOutcome::Stale);
    assert_eq!(wake(machine), EventOutcome::Applied);
    assert_eq!(machine.handle(Event::Woken { id: pause.id }), EventOutcome::Stale);
}

fn failures(machine: &Machine<Office>) -> Vec<(u32, Failure, String)> {
    let attempts = machine.last_failure().unwrap().attempts;
    attempts.into_iter().map(|it| (it.number, it.failure, it.issues.to_string())).collect()
}

#[test]
fn what_a_function_returns_is_committed_and_remembered() {
    let mut machine = office();
    let call = code(&mut machine);
    assert_eq!(
        (call.task, call.key.attempt(), call.timeout),
        (OfficeTask::Fetch, 1, Some(SECOND * 10))
    );
    assert_eq!(call.key.to_string(), "fetch#1@1");
    survives(&mut machine);
    assert_eq!(run(&mut machine), EventOutcome::Applied);
    assert_eq!(state(&machine).notes, [Note { text: "after 0".to_owned(), rank: 3 }]);
    let entry = json!([{ "task": "fetch", "output": note("after 0", 3) }]);
    assert_eq!(history(&machine), entry);
    // A function without an output, behind a timer, and a timer before a gateway.
    assert_eq!(times(&timer(&mut machine)).0, SECOND * 3);
    survives(&mut machine);
    assert_eq!((wake(&mut machine), machine.steps()), (EventOutcome::Applied, 1));
    survives(&mut machine);
    run(&mut machine);
    assert_eq!(timer(&mut machine).task, OfficeTask::Gate);
    assert_eq!(times(&timer(&mut machine)).0, Duration::from_millis(1500));
    survives(&mut machine);
    wake(&mut machine);
    assert_eq!(outcome(&mut machine), OfficeOutcome::Done);
    assert_eq!((history(&machine), machine.steps()), (entry, 2));
}

#[test]
fn a_function_that_fails_is_run_again_as_often_as_the_task_says() {
    let mut machine = started::<Office>(Desk { fails: true, ..Desk::default() });
    run(&mut machine);
    backs_off(&mut machine);
    let again = code(&mut machine);
    assert_eq!((again.key.attempt(), again.timeout), (2, Some(SECOND * 9)));
    survives(&mut machine);
    run(&mut machine);
    assert_eq!(outcome(&mut machine), OfficeOutcome::Broken("the office is closed".to_owned()));
    let halt = machine.last_failure().unwrap();
    let why = FunctionError::new("the line is dead");
    assert_eq!((halt.task, halt.reason), (OfficeTask::Fetch, HaltReason::CodeFailed(why)));
    let failed = |number| (number, Failure::Failed, "$: the line is dead".to_owned());
    assert_eq!(failures(&machine), [failed(1), failed(2)]);
    assert_eq!((state(&machine).notes.len(), machine.history().len()), (0, 0));
}

#[test]
fn what_a_function_returns_is_read_and_processed_like_any_output() {
    let mut machine = office();
    ran(&mut machine, Ok(json!({ "text": 5 })));
    wake(&mut machine);
    ran(&mut machine, Ok(note("a", 0)));
    assert!(matches!(outcome(&mut machine), OfficeOutcome::Broken(_)));
    assert_eq!(machine.last_failure().unwrap().reason, HaltReason::Exhausted);
    let [first, second] = failures(&machine).try_into().unwrap();
    assert!(first.1 == Failure::Rejected && first.2.starts_with("$.text: "), "{first:?}");
    assert_eq!(second, (2, Failure::Rejected, "$.rank: must not be 0".to_owned()));
    assert_eq!(*state(&machine), Desk::default());
}

#[test]
fn a_function_that_takes_too_long_is_not_run_again() {
    let mut machine = office();
    time_out(&mut machine, SECOND);
    assert_eq!(outcome(&mut machine), OfficeOutcome::Late);
    let reason = HaltReason::TaskTimeout(SECOND * 10);
    assert_eq!(machine.last_failure().unwrap().reason, reason);
}

#[test]
fn a_retry_is_no_step_and_needs_no_budget() {
    let mut options = MachineOptions::default();
    options.max_steps = Some(1);
    options.budget = Some(cot_core::Budget { calls: Some(0), ..cot_core::Budget::NONE });
    let mut machine = started_with::<Office>(options, Desk::default());
    ran(&mut machine, Err(FunctionError::new("once")));
    wake(&mut machine);
    assert_eq!(code(&mut machine).key.attempt(), 2);
    run(&mut machine);
    wake(&mut machine);
    let halt = outcome(&mut machine).halt().cloned().unwrap();
    assert_eq!((halt.task, halt.reason), (OfficeTask::Tidy, HaltReason::MaxSteps(1)));
}

#[test]
fn events_that_answer_something_else_change_nothing() {
    let mut machine = office();
    let id = code(&mut machine).id;
    let elapsed = SECOND;
    assert_eq!(machine.handle(Event::Woken { id }), EventOutcome::Stale);
    assert_eq!(
        machine.handle(Event::Answered { id, answer: note("a", 1), elapsed: SECOND }),
        EventOutcome::Stale
    );
    let reply = note("a", 1).into();
    assert_eq!(machine.handle(Event::Replied { id, reply, elapsed }), EventOutcome::Stale);
    assert_eq!(code(&mut machine).id, id);
    run(&mut machine);
    let id = timer(&mut machine).id;
    assert_eq!(machine.handle(Event::TimedOut { id, elapsed }), EventOutcome::Stale);
    let result = Ok(json!(null));
    assert_eq!(machine.handle(Event::Ran { id, result, elapsed }), EventOutcome::Stale);
    assert_eq!(timer(&mut machine).id, id);
}

cot_process! {
    process Line {
        state: Desk,

        task fetch -> Note {
            run: fetch,
            retry: { max: 5, backoff: 1s..3s, timeouts },
            timeout: 10s,
            update: notes[],
            on: { unreachable => down, timeout => late },
            next: done,
        }

        task down { fail: "the line is down" }
        task late { fail: "the line is slow" }
        task done { end }
    }
}

#[test]
fn the_pauses_double_up_to_the_longest_and_time_outs_may_be_tried_again() {
    let mut machine = started::<Line>(Desk::default());
    for seconds in [1, 2, 3, 3, 3] {
        assert_eq!(code(&mut machine).timeout, Some(SECOND * 10), "of each attempt");
        time_out(&mut machine, SECOND * 10);
        let pause = timer(&mut machine);
        let (duration, jitter) = times(&pause);
        assert_eq!(duration + jitter, SECOND * seconds);
        wake(&mut machine);
    }
    ran(&mut machine, Err(FunctionError::new("dead")));
    assert_eq!(outcome(&mut machine), LineOutcome::Down("the line is down".to_owned()));
    let halt = machine.last_failure().unwrap();
    assert_eq!((halt.attempts.len(), halt.attempts[0].failure), (6, Failure::TimedOut));

    let mut machine = started::<Line>(Desk::default());
    for _ in 0..5 {
        ran(&mut machine, Err(FunctionError::new("dead")));
        wake(&mut machine);
    }
    time_out(&mut machine, SECOND * 10);
    assert_eq!(outcome(&mut machine), LineOutcome::Late("the line is slow".to_owned()));
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Login {
    user: String,
    keys: Vec<cot_core::Secret<String>>,
}

async fn log_in(_: &Desk) -> Result<Login, FunctionError> {
    Ok(Login { user: "ada".to_owned(), keys: vec![cot_core::Secret::new("k-1".to_owned())] })
}

cot_process! {
    process Logins {
        state: Desk,
        task log_in -> Login { run: log_in, update: { fails = output.user.is_empty() }, next: done }
        task done { end }
    }
}

#[test]
fn a_function_that_returns_a_secret_fails() {
    let mut machine = started::<Logins>(Desk::default());
    run(&mut machine);
    let why = outcome(&mut machine).halt().unwrap().reason.to_string();
    assert!(why.contains("the output holds a `Secret`"), "{why}");
}

async fn search(desk: &Desk) -> anyhow::Result<Note> {
    let line = std::io::Error::other("the line is dead");
    match desk.fails {
        true => Err(anyhow::Error::new(line).context("no answer").context("the search failed")),
        false => Ok(Note { text: "found".to_owned(), rank: 1 }),
    }
}

/// Takes its `String` as `&str`.
async fn count(_: &Desk, what: &str) -> Result<Note, String> {
    Err(format!("no {what} to count"))
}

cot_process! {
    process Search {
        state: Desk,
        max_retries: 0,
        task search -> Note { run: search, update: notes[], next: count with output.text }
        task count -> Note { inputs: String, run: count, update: notes[], next: done }
        task done { end }
    }
}

#[test]
fn an_error_is_whatever_becomes_a_boxed_one() {
    let why = |fails| {
        let mut machine = started::<Search>(Desk { fails, ..Desk::default() });
        run(&mut machine);
        if !fails {
            run(&mut machine);
        }
        let outcome = outcome(&mut machine);
        match &outcome.halt().unwrap().reason {
            HaltReason::CodeFailed(error) => error.to_string(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(why(true), "the search failed: no answer: the line is dead");
    assert_eq!(why(false), "no found to count");
}
