//! Tasks that run functions, and timers before tasks.

use std::{future::ready, time::Duration};

use cot_engine::{
    Budget, Effect, Event, EventOutcome, Failure, FunctionError, HaltReason,
    private::{Definition, Ending, OnRoutes, RetryDefinition},
};
use cot_schema::Issues;
use serde_json::json;

use crate::harness::{
    NOTE, PROCESS, Run, SECOND, append, checked, code, end, fail, gateway, note, process, push,
    runs, seconds,
};

process! {
    Office {
        fetch: runs(Effect::Repeatable, |cx| {
            let notes = cx.cx().state["fetch"].as_array().map_or(0, Vec::len);
            let is_dead = cx.cx().state["is_dead"] == true;
            let note = note(&format!("after {notes}"), 3);
            Box::pin(ready(if is_dead { Err(FunctionError::new("the line is dead")) } else { Ok(note) }))
        })
            .read(|given, _| checked(given, |note| NOTE().validate(note)))
            .commit(|note, state, _| {
                if note["rank"] == 0 {
                    return Err(Issues::at("rank", "must not be 0"));
                }
                push(&mut state["fetch"], note.clone());
                Ok(None)
            })
            .max_retries(1)
            .timeout(seconds(10))
            .on(OnRoutes {
                exhausted: Some(Self::broken),
                timeout: Some(Self::late),
                ..OnRoutes::NONE
            })
            .next(&[Self::tidy]),
        tidy: runs(Effect::Repeatable, |_| Box::pin(ready(Ok(json!(null)))))
            .wait(seconds(3))
            .next(&[Self::gate]),
        gate: gateway().wait(Duration::from_millis(1500)).next(&[Self::done]),
        broken: fail("the office is closed"),
        late: end(),
        done: end(),
        line: code()
            .result()
            .commit(append)
            .max_retries(5)
            .retry(RetryDefinition {
                backoff: (seconds(1), seconds(3)),
                timeouts: true,
                ..RetryDefinition::DEFAULT
            })
            .timeout(seconds(10))
            .on(OnRoutes {
                exhausted: Some(Self::broken),
                timeout: Some(Self::late),
                ..OnRoutes::NONE
            })
            .next(&[Self::done]),
    }
    definition: Definition { max_retries: Some(5), ..PROCESS };
}

fn office() -> Run {
    Run::start::<Office>(json!({}))
}

/// The pause before another attempt; nothing but its end ends it.
fn backs_off(run: &mut Run) {
    let pause = run.only();
    assert_eq!((pause.task, pause.pause().0, pause.pause().1), ("fetch", SECOND / 10, SECOND / 10));
    run.survives();
    let ran = Event::Ran { id: pause.id, result: Ok(note("early", 1)), elapsed: SECOND };
    assert_eq!(run.handle(ran), EventOutcome::Stale);
    assert_eq!(run.wake(), EventOutcome::Applied);
    assert_eq!(run.handle(Event::Woken { id: pause.id }), EventOutcome::Stale);
}

fn failures(run: &Run) -> Vec<(u32, Failure, String)> {
    let attempts = run.last_failure().unwrap().attempts;
    attempts.into_iter().map(|it| (it.number, it.failure, it.issues.to_string())).collect()
}

#[test]
fn what_a_function_returns_is_committed_and_remembered() {
    let mut run = office();
    let call = run.only();
    assert_eq!((call.task, call.attempt(), call.timeout), ("fetch", 1, Some(SECOND * 10)));
    assert_eq!(call.key.to_string(), "fetch#1@1");
    run.survives();
    assert_eq!(run.run_function(), EventOutcome::Applied);
    assert_eq!(run.state()["fetch"], json!([note("after 0", 3)]));
    let entry = json!([{ "task": "fetch", "output": note("after 0", 3) }]);
    assert_eq!(run.history_json(), entry);
    // A function without an output, behind a timer, and a timer before a gateway.
    assert_eq!(run.only().pause().0, SECOND * 3);
    run.survives();
    assert_eq!((run.wake(), run.steps()), (EventOutcome::Applied, 1));
    run.survives();
    run.run_function();
    assert_eq!(run.only().task, "gate");
    assert_eq!(run.only().pause().0, Duration::from_millis(1500));
    run.survives();
    run.wake();
    assert_eq!(run.ending(), Ending::End("done"));
    assert_eq!((run.history_json(), run.steps()), (entry, 2));
}

#[test]
fn a_function_that_fails_is_run_again_as_often_as_the_task_says() {
    let mut run = Run::start::<Office>(json!({ "is_dead": true }));
    run.run_function();
    backs_off(&mut run);
    let again = run.only();
    assert_eq!((again.attempt(), again.timeout), (2, Some(SECOND * 9)));
    run.survives();
    run.run_function();
    assert_eq!(run.ending(), Ending::Fail("broken", "the office is closed".to_owned()));
    let halt = run.last_failure().unwrap();
    let why = FunctionError::new("the line is dead");
    assert_eq!((halt.task, halt.reason), ("fetch", HaltReason::CodeFailed(why)));
    let failed = |number| (number, Failure::Failed, "$: the line is dead".to_owned());
    assert_eq!(failures(&run), [failed(1), failed(2)]);
    assert_eq!((&run.state()["fetch"], run.history().len()), (&json!(null), 0));
}

#[test]
fn what_a_function_returns_is_read_and_processed_like_any_output() {
    let mut run = office();
    run.finish_function(Ok(json!({ "text": 5 })));
    run.wake();
    run.finish_function(Ok(note("a", 0)));
    assert!(matches!(run.ending(), Ending::Fail("broken", _)));
    assert_eq!(run.last_failure().unwrap().reason, HaltReason::Exhausted);
    let [first, second] = failures(&run).try_into().unwrap();
    assert!(first.1 == Failure::Rejected && first.2.contains("$.text: "), "{first:?}");
    assert_eq!(second, (2, Failure::Rejected, "$.rank: must not be 0".to_owned()));
    assert_eq!(*run.state(), json!({}));
}

#[test]
fn a_function_that_takes_too_long_is_not_run_again() {
    let mut run = office();
    run.time_out(SECOND);
    assert_eq!(run.ending(), Ending::End("late"));
    let reason = HaltReason::TaskTimeout(SECOND * 10);
    assert_eq!(run.last_failure().unwrap().reason, reason);
}

#[test]
fn a_retry_is_no_step_and_needs_no_budget() {
    let mut run = Run::with::<Office>(
        |options| {
            options.max_steps = Some(1);
            options.budget = Some(Budget { calls: Some(0), ..Budget::NONE });
        },
        json!({}),
    );
    run.fail_function("once");
    run.wake();
    assert_eq!(run.only().attempt(), 2);
    run.run_function();
    run.wake();
    let halt = run.halt();
    assert_eq!((halt.task, halt.reason), ("tidy", HaltReason::MaxSteps(1)));
}

#[test]
fn events_that_answer_something_else_change_nothing() {
    let mut run = office();
    let id = run.only().id;
    let elapsed = SECOND;
    assert_eq!(run.handle(Event::Woken { id }), EventOutcome::Stale);
    assert_eq!(
        run.handle(Event::Answered { id, answer: note("a", 1), elapsed: SECOND }),
        EventOutcome::Stale
    );
    let reply = note("a", 1).into();
    assert_eq!(run.handle(Event::Replied { id, reply, elapsed }), EventOutcome::Stale);
    assert_eq!(run.only().id, id);
    run.run_function();
    let id = run.only().id;
    assert_eq!(run.handle(Event::TimedOut { id, elapsed }), EventOutcome::Stale);
    let result = Ok(json!(null));
    assert_eq!(run.handle(Event::Ran { id, result, elapsed }), EventOutcome::Stale);
    assert_eq!(run.only().id, id);
}

#[test]
fn the_pauses_double_up_to_the_longest_and_time_outs_may_be_tried_again() {
    let mut run = Run::at::<Office>("line", json!({}));
    for seconds in [1, 2, 3, 3, 3] {
        assert_eq!(run.only().timeout, Some(SECOND * 10), "of each attempt");
        run.time_out(SECOND * 10);
        let pause = run.only();
        let (duration, jitter) = pause.pause();
        assert_eq!(duration + jitter, SECOND * seconds);
        run.wake();
    }
    run.fail_function("dead");
    assert_eq!(run.ending(), Ending::Fail("broken", "the office is closed".to_owned()));
    let halt = run.last_failure().unwrap();
    assert_eq!((halt.attempts.len(), halt.attempts[0].failure), (6, Failure::TimedOut));

    let mut run = Run::at::<Office>("line", json!({}));
    for _ in 0..5 {
        run.fail_function("dead");
        run.wake();
    }
    run.time_out(SECOND * 10);
    assert_eq!(run.ending(), Ending::End("late"));
}
