//! Checks that are async: calls that the driver performs.

use std::{future::ready, time::Duration};

use cot_engine::{
    Event, EventOutcome, Failure, FunctionError, HaltReason, MockMode, PanicPlace,
    private::{Definition, Ending, Mocked, OnRoutes, OutputCode},
};
use cot_model::BoxFuture;
use cot_schema::Issues;
use serde_json::{Value, json};

use crate::harness::{
    NOTE, PROCESS, Run, SECOND, ai, append, deliver, end, human, inputs, inputs_of, note, output,
    process, seconds, sub_process,
};

process! {
    Checked {
        write: ai("")
            .output_code(OutputCode {
                schema: Some(NOTE),
                check: Some(|note, cx| verdict(rates(&note, &cx.cx().state["known"]))),
                commit: append,
                ..output()
            })
            .timeout(seconds(10))
            .mock(|cx| Ok(Mocked::Output(json!({ "text": cx.state["known"], "rank": 0 }))))
            .on(OnRoutes {
                exhausted: Some(Self::lost),
                timeout: Some(Self::late),
                ..OnRoutes::NONE
            })
            .next(&[Self::ask])
            .arms(&[inputs(|scope, _| deliver(scope.state["known"].clone()))]),
        ask: human("Is it?")
            .inputs(None)
            .output_code(OutputCode {
                schema: Some(NOTE),
                check: Some(|note, cx| {
                    let given = inputs_of(&cx.cx()).clone();
                    Box::pin(async move {
                        assert!(note["rank"].as_u64() < Some(500), "no such rank");
                        verdict(Ok(knows(&note, &given))).await
                    })
                }),
                commit: append,
                ..output()
            })
            .next(&[Self::done]),
        lost: end(),
        late: end(),
        done: end(),
    }
    definition: Definition { max_retries: Some(1), ..PROCESS };
}

process! {
    Limited {
        ask: human("Is it?")
            .output_code(OutputCode {
                schema: Some(NOTE),
                check: Some(|note, cx| verdict(rates(&note, &cx.cx().state["known"]))),
                ..output()
            })
            .next(&[Self::done]),
        done: end(),
        inner: sub_process::<Checked>().next(&[Self::done]),
    }
    definition: Definition { timeout: Some(seconds(10)), ..PROCESS };
}

/// Refuses a low rank, and can't decide about a high one.
fn rates(note: &Value, known: &Value) -> Result<Result<(), Issues>, FunctionError> {
    match note["rank"].as_u64() {
        Some(0) => Ok(Err(Issues::at("rank", format!("too low beside {known}")))),
        Some(1..100) => Ok(Ok(())),
        _ => Err(FunctionError::new("the validator is down")),
    }
}

fn knows(note: &Value, given: &Value) -> Result<(), Issues> {
    match note["text"] == *given {
        true => Ok(()),
        false => Err(Issues::at("text", format!("is not {}", given.as_str().unwrap()))),
    }
}

/// What the function of a check returns: null, or the issues.
fn verdict(
    checked: Result<Result<(), Issues>, FunctionError>,
) -> BoxFuture<'static, Result<Value, FunctionError>> {
    Box::pin(ready(checked.map(|checked| match checked {
        Ok(()) => Value::Null,
        Err(issues) => serde_json::to_value(issues).unwrap(),
    })))
}

fn page() -> Value {
    json!({ "known": "a" })
}

fn checked() -> Run {
    Run::start::<Checked>(page())
}

#[test]
fn nothing_is_committed_before_the_check_has_accepted() {
    let mut run = checked();
    run.reply(note("x", 5));
    let check = run.only();
    assert_eq!((check.task, check.attempt(), check.key.is_check()), ("write", 1, true));
    assert_eq!(check.key.to_string(), "write#1@1+check");
    assert_eq!(check.timeout, Some(Duration::from_secs(9)), "what is left of the task's time");
    assert_eq!((run.state(), run.history_json()), (&page(), json!([])));
    assert_eq!(run.run_function(), EventOutcome::Applied);
    assert_eq!(run.state()["write"].as_array().unwrap().len(), 1);
    assert_eq!(run.history_json(), json!([{ "task": "write", "output": note("x", 5) }]));
}

#[test]
fn what_the_check_refuses_is_asked_for_again() {
    let mut run = checked();
    run.reply(note("x", 0));
    run.run_function();
    assert!(run.prompt().contains("too low beside"));
    assert_eq!(run.only().attempt(), 2);
    run.reply(note("x", 0));
    assert_eq!(run.only().key.to_string(), "write#1@2+check");
    run.run_function();
    assert!(matches!(run.ending(), Ending::End("lost")), "retries are used up");
    assert_eq!(*run.state(), page());
    assert_eq!(run.usage().calls, 2);
}

#[test]
fn a_reply_that_can_t_be_read_comes_to_no_check() {
    let mut run = checked();
    run.reply(json!({ "text": 1 }));
    assert_eq!(run.only().attempt(), 2);
}

#[test]
fn a_check_that_can_t_say_fails_the_task() {
    let mut run = checked();
    run.reply(note("x", 100));
    run.run_function();
    assert!(matches!(run.ending(), Ending::End("lost")));
    let failed = run.last_failure().unwrap();
    assert!(
        matches!(&failed.reason, HaltReason::CodeFailed(error) if error.to_string().contains("down"))
    );
    assert_eq!(failed.attempts[0].failure, Failure::Failed);
}

#[test]
fn a_check_that_takes_too_long_goes_where_time_outs_go() {
    let mut run = checked();
    run.reply(note("x", 5));
    run.only();
    run.time_out(Duration::from_secs(9));
    assert!(matches!(run.ending(), Ending::End("late")));
    assert_eq!(run.usage().calls, 1, "no call of a model");
}

#[test]
fn a_run_that_is_resumed_checks_again_and_asks_no_model() {
    let mut run = checked();
    run.reply(note("x", 5));
    let before = run.only();
    let mut run = run.resumed();
    let after = run.only();
    assert_eq!((before.id, &before.key, before.timeout), (after.id, &after.key, after.timeout));
    run.run_function();
    assert_eq!(run.state()["write"].as_array().unwrap().len(), 1);
}

#[test]
fn the_answer_of_a_person_is_checked_and_asked_for_again() {
    let mut run = checked();
    run.reply(note("x", 5));
    run.run_function();
    assert_eq!(run.answer(note("b", 1)), EventOutcome::Applied);
    let check = run.only();
    assert_eq!(check.key.to_string(), "ask#1@1+check");
    let mut run = run.resumed();
    let late = Event::Answered { id: check.id, answer: note("a", 1), elapsed: SECOND };
    assert_eq!(run.handle(late), EventOutcome::Stale, "the first answer is being checked");
    run.run_function();
    let again = run.only();
    assert!(again.question().issues.as_ref().unwrap().to_string().contains("is not a"));
    run.answer(note("a", 1));
    run.run_function();
    assert!(matches!(run.ending(), Ending::End("done")));
    assert_eq!(run.state()["ask"], json!([note("a", 1)]));
}

#[test]
fn the_check_of_an_answer_has_the_time_that_is_left_of_the_run() {
    let mut run = Run::start::<Limited>(page());
    run.answer_after(note("a", 0), SECOND * 60);
    let check = run.only();
    assert_eq!(check.timeout, Some(SECOND * 10), "the time of a person is not the run's");
    run.time_out(SECOND * 10);
    let halt = run.halt();
    assert_eq!(halt.reason, HaltReason::RunTimeout(SECOND * 10));
}

#[test]
fn a_check_that_panics_halts_the_run() {
    let mut run = checked();
    run.reply(note("x", 5));
    run.run_function();
    run.answer(note("a", 500));
    run.run_function();
    let halt = run.halt();
    let HaltReason::Panicked(panic) = &halt.reason else { panic!("{halt}") };
    assert_eq!((panic.place, panic.message.as_str()), (PanicPlace::Check, "no such rank"));
}

#[test]
fn a_mock_s_answer_is_checked_as_well() {
    let mut run = Run::with::<Checked>(|options| options.mock_mode = Some(MockMode::All), page());
    assert!(!run.only().key.is_check(), "the mock's answer");
    run.run_function();
    assert!(run.only().key.is_check());
    run.run_function();
    assert_eq!(run.only().attempt(), 2, "it was refused");
}

#[test]
fn an_outer_process_performs_the_checks_of_an_inner_one() {
    let mut run = Run::at::<Limited>("inner", json!({ "start": page() }));
    run.reply(note("a", 5));
    assert_eq!(run.only().key.to_string(), "inner#1/write#1@1+check");
    run.run_function();
    run.answer(note("a", 5));
    run.run_function();
    assert_eq!(run.ending(), Ending::End("done"));
    assert_eq!(run.state()["inner"]["ask"], json!([note("a", 5)]));
}
