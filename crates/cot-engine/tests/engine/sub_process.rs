//! Processes within processes.

use cot_engine::{
    Budget, Event, EventOutcome, HaltReason, NestedFailure, RunEvent,
    private::{Collect, Definition, Ending, OnRoutes, ProcessCode, write_text},
};
use cot_model::{ModelReply, Usage};
use serde_json::{Value, json};

use crate::harness::{
    NOTE, PROCESS, Run, SECOND, ai, append, code, each_ai, end, fail, functions, go, human, note,
    process, seconds, sub_process, text, to,
};

process! {
    Ground {
        write: ai("").output(NOTE).commit(append).next(&[Self::each]),
        each: each_ai().output(NOTE).items(Some(2), Collect::All).next(&[Self::ask]),
        ask: human("What?").output(NOTE).wait(seconds(1)).next(&[Self::check]),
        check: code().next(&[Self::done]),
        done: end(),
    }
    functions: ProcessCode {
        intro: Some(|cx, out| write_text(out, format!("For {}", cx.goal))),
        ..functions()
    };
}

process! {
    Floor {
        hub: ai("").go(&[to(Self::ground), to(Self::failed), to(Self::done), to(Self::hub)]),
        ground: sub_process::<Ground>().next(&[Self::hub]),
        failed: fail("not here"),
        done: end(),
    }
    definition: Definition { max_steps: Some(30), max_retries: Some(0), ..PROCESS };
}

process! {
    Tower {
        hub: ai("").go(&[to(Self::floor), to(Self::done)]),
        floor: sub_process::<Floor>().timeout(seconds(20)).max_retries(1).on(OnRoutes {
            exhausted: Some(Self::failed),
            timeout: Some(Self::late),
            budget: Some(Self::dear),
            ..OnRoutes::NONE
        }),
        failed: fail("failed"),
        late: end(),
        dear: end(),
        done: end(),
    }
    functions: ProcessCode { goal: Some(text!("height")), ..functions() };
}

/// The state of the tower: the floor has the ground's.
fn top() -> Value {
    json!({ "start": { "start": { "items": ["x"] } } })
}

fn tower() -> Run {
    Run::start::<Tower>(top()).after([go("floor")])
}

fn nested(run: &Run) -> NestedFailure {
    match run.last_failure().unwrap().reason {
        HaltReason::ProcessFailed(nested) => *nested,
        other => panic!("expected a process: {other:?}"),
    }
}

#[test]
fn three_levels_with_all_kinds_of_tasks() {
    let mut run = tower();
    run.survives();
    let at_hub = run.only();
    assert_eq!((at_hub.task, at_hub.key.to_string().as_str()), ("floor", "floor#1/hub#1@1"));
    assert!(at_hub.prompt().contains("height"), "the goal is that of the process around");
    run.survives();
    run.reply(go("ground"));
    run.survives();
    assert_eq!(run.only().key.to_string(), "floor#1/ground#1/write#1@1");
    assert!(run.prompt().contains("For height"));
    run.reply("bad");
    run.survives();
    run.reply(note("a", 1));
    assert_eq!(run.directives()[0].key.to_string(), "floor#1/ground#1/each#1[0]@1");
    run.survives();
    run.reply(note("b", 2));
    assert_eq!(run.only().task, "floor");
    run.survives();
    run.wake();
    assert!(matches!(run.answer(json!(5)), EventOutcome::Refused(_)));
    assert_eq!(run.only().key.to_string(), "floor#1/ground#1/ask#1@2");
    run.survives();
    run.answer(note("c", 3));
    run.survives();
    run.finish_function(Ok(json!(null)));
    run.survives();
    assert!(run.state()["floor"].is_null(), "nothing is committed before the end");
    run.reply(go("done"));
    assert_eq!(run.only().task, "hub");
    let ground = &run.state()["floor"]["ground"];
    assert_eq!(ground["write"], json!([note("a", 1)]));
    assert_eq!((&ground["each"], &ground["ask"]), (&json!([note("b", 2)]), &note("c", 3)));
    assert_eq!(run.history_json()[1]["task"], "floor");
    assert_eq!((run.history().len(), run.usage().calls), (2, 6));
    // Top hub, floor, its hub, ground, write, each, ask, check, hub, and top hub again.
    assert_eq!(run.steps(), 10);
}

#[test]
fn a_process_that_fails_is_run_again_from_its_start() {
    let mut run = tower();
    run.reply(go("failed"));
    run.survives();
    let again = run.only();
    assert_eq!((again.task, again.attempt()), ("floor", 1));
    assert_eq!(again.key.to_string(), "floor#1@2/hub#1@1", "another call has another key");
    run.reply("nonsense");
    assert_eq!(run.ending(), Ending::Fail("failed", "failed".to_owned()));
    let nested = nested(&run);
    assert_eq!((nested.process.as_str(), nested.task.as_str()), ("Floor", "hub"));
    assert_eq!((nested.reason, nested.attempts.len()), (Some(HaltReason::Exhausted), 1));
    let attempts = run.last_failure().unwrap().attempts;
    assert_eq!(attempts[0].issues.to_string(), "$: not here");
    assert_eq!((attempts.len(), attempts[0].usage.calls, run.usage().calls), (2, 1, 3));
    assert_eq!(*run.state(), top());
}

#[test]
fn what_is_left_of_the_budget_is_shared() {
    let budget = Budget { tokens: Some(100), ..Budget::NONE };
    let mut run = Run::with::<Tower>(|options| options.budget = Some(budget), top());
    let costing =
        |answer: Value, tokens| ModelReply::from(answer).usage(Usage::for_call(tokens, 0));
    run.reply(costing(go("floor"), 40));
    run.reply(costing(go("ground"), 40));
    run.survives();
    run.reply(costing(note("a", 1), 20));
    assert_eq!(run.ending(), Ending::End("dear"));
    let halt = run.last_failure().unwrap();
    assert!(matches!(halt.reason, HaltReason::Budget(_)), "{halt}");
    assert_eq!((run.usage().total_tokens(), halt.attempts.len()), (100, 1));
}

#[test]
fn steps_and_time_are_shared() {
    let mut run = Run::with::<Tower>(|options| options.max_steps = Some(4), top());
    run.reply(go("floor"));
    run.reply(go("hub"));
    run.reply(go("hub"));
    let halt = run.halt();
    assert_eq!((halt.reason, run.steps()), (HaltReason::MaxSteps(4), 4));
    let mut run = tower();
    assert_eq!(run.only().timeout, Some(SECOND * 20));
    run.reply(go("ground"));
    assert_eq!(run.only().timeout, Some(SECOND * 19));
    run.survives();
    run.time_out(SECOND * 19);
    assert_eq!(run.ending(), Ending::End("late"));
}

#[test]
fn a_run_is_cancelled_in_the_middle_of_a_process() {
    let mut run = tower();
    run.reply(go("ground"));
    let id = run.only().id;
    run.cancel("enough");
    let halt = run.halt();
    assert_eq!((halt.task, halt.reason), ("floor", HaltReason::Cancelled("enough".into())));
    assert_eq!((run.usage().calls, run.steps()), (2, 5));
    let elapsed = run.drain_events().into_iter().find_map(|event| match event {
        RunEvent::Finished { elapsed, .. } => Some(elapsed),
        _ => None,
    });
    assert_eq!(elapsed, Some(SECOND * 2));
    let late = Event::Replied { id, reply: note("a", 1).into(), elapsed: SECOND };
    assert_eq!(run.handle(late), EventOutcome::NotRunning);
}

#[test]
fn an_event_after_the_end_of_the_process_within_is_stale() {
    let mut run = tower();
    let id = run.only().id;
    run.reply(go("done"));
    run.directives();
    let mut run = tower();
    let again = || Event::Replied { id, reply: "x".into(), elapsed: SECOND };
    run.reply("bad");
    assert_eq!(run.handle(again()), EventOutcome::Stale);
    assert_eq!(run.resumed().only().id, run.only().id);
}

#[test]
fn events_within_are_told_with_the_task_that_runs_the_process() {
    let mut run = tower();
    run.events();
    run.reply(go("ground"));
    run.prompt();
    let events = run.events();
    let has = |start: &str| events.iter().any(|event| event.starts_with(start));
    for start in [
        "floor: Floor: hub: started, step",
        "floor: Floor: hub: chose ground",
        "floor: Floor: ground: Ground: write: started, step",
        "floor: Floor: ground: Ground: write: attempt 1, prompt of",
    ] {
        assert!(has(start), "{start}: {events:#?}");
    }
}
