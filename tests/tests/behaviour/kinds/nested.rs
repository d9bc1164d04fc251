//! Processes within processes.

use cot_core::{
    Budget, Event, EventOutcome, HaltReason, Machine, MachineOptions, NestedFailure, RunEvent,
    Usage, model::ModelReply, prelude::*,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::drive::{
    answer, calls, question, reply_item, resumed, run, survives, time_out, timer, wake,
};
use crate::drive::{
    Note, SECOND, call, go, history, note, outcome, prompt, reply, request, started, started_with,
    state,
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Top {
    notes: Vec<Note>,
    depth: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Middle {
    notes: Vec<Note>,
    depth: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Bottom {
    notes: Vec<Note>,
}

impl From<&Top> for Middle {
    fn from(top: &Top) -> Self {
        Self { notes: top.notes.clone(), depth: top.depth + 1 }
    }
}

async fn check(_: &Bottom) -> Result<(), std::convert::Infallible> {
    Ok(())
}

cot_process! {
    process Ground {
        state: Bottom,
        intro: "For ${goal}",
        task write -> Note { update: notes[], next: each }

        task each -> Note {
            for_each: item in state.notes,
            max_concurrency: 2,
            prompt: "${item.text}",
            update: { notes = output },
            next: ask,
        }

        task ask -> Note { ask: "What?", wait: 1s, update: notes[], next: check }
        task check { run: check, next: done }
        task done { end }
    }
}

cot_process! {
    process Floor {
        state: Middle,
        max_steps: 30,
        max_retries: 0,
        task hub { transitions: { ground, failed, done, hub } }

        task ground {
            process: Ground with Bottom { notes: state.notes.clone() },
            update: { notes = output.notes },
            next: hub,
        }

        task failed { fail: "not at depth ${state.depth}" }
        task done { end }
    }
}

cot_process! {
    process Tower {
        state: Top,
        goal: "height",
        task hub { transitions: { floor, done } }

        task floor {
            process: Floor,
            timeout: 20s,
            max_retries: 1,
            update: { notes = output.notes, depth = output.depth },
            on: { exhausted => failed, timeout => late, budget => dear },
        }

        task failed { fail: "failed" }
        task late { end }
        task dear { end }
        task done { end }
    }
}

fn tower() -> Machine<Tower> {
    let mut machine = started::<Tower>(Top::default());
    reply(&mut machine, go("floor"));
    machine
}

fn nested(machine: &Machine<Tower>) -> NestedFailure {
    match machine.last_failure().unwrap().reason {
        HaltReason::ProcessFailed(nested) => *nested,
        other => panic!("expected a process, got {other:?}"),
    }
}

#[test]
fn three_levels_with_all_kinds_of_tasks() {
    let mut machine = tower();
    survives(&mut machine);
    let at_hub = call(&mut machine);
    assert_eq!(
        (at_hub.task, at_hub.key.to_string().as_str()),
        (TowerTask::Floor, "floor#1/hub#1@1")
    );
    assert!(request(&at_hub).prompt().contains("height"), "the goal is that of the process around");
    survives(&mut machine);
    reply(&mut machine, go("ground"));
    survives(&mut machine);
    assert_eq!(call(&mut machine).key.to_string(), "floor#1/ground#1/write#1@1");
    assert!(prompt(&mut machine).contains("For height"));
    reply(&mut machine, "bad");
    survives(&mut machine);
    reply(&mut machine, note("a", 1));
    assert_eq!(calls(&mut machine)[0].key.to_string(), "floor#1/ground#1/each#1[0]@1");
    survives(&mut machine);
    reply_item(&mut machine, 0, note("b", 2));
    assert_eq!(timer(&mut machine).task, TowerTask::Floor);
    survives(&mut machine);
    wake(&mut machine);
    assert!(matches!(answer(&mut machine, json!(5)), EventOutcome::Refused(_)));
    assert_eq!(question(&mut machine).key.to_string(), "floor#1/ground#1/ask#1@2");
    survives(&mut machine);
    answer(&mut machine, note("c", 3));
    survives(&mut machine);
    run(&mut machine);
    survives(&mut machine);
    assert!(state(&machine).notes.is_empty(), "nothing is committed before the end");
    reply(&mut machine, go("done"));
    assert_eq!(call(&mut machine).task, TowerTask::Hub);
    let expected = ["b", "c"];
    let texts: Vec<_> = state(&machine).notes.iter().map(|note| note.text.as_str()).collect();
    assert_eq!((texts.as_slice(), state(&machine).depth), (&expected[..], 1));
    assert_eq!(history(&machine)[1]["task"], "floor");
    assert_eq!((machine.history().len(), machine.usage().calls), (2, 6));
    // Top hub, floor, its hub, ground, write, each, ask, check, hub, and top hub again.
    assert_eq!(machine.steps(), 10);
}

#[test]
fn events_within_are_told_with_the_task_that_runs_the_process() {
    let mut machine = tower();
    machine.record(true);
    reply(&mut machine, go("ground"));
    machine.poll();
    let mut machine_events = Vec::new();
    for event in machine.drain_events() {
        if let RunEvent::Nested { task, process, .. } = &event {
            assert_eq!((*task, &**process), (TowerTask::Floor, "Floor"));
            assert!(event.nested::<Ground>().is_none());
            match event.nested::<Floor>().unwrap() {
                floor @ RunEvent::Nested { .. } => {
                    let ground = floor.nested::<Ground>().unwrap();
                    assert!(floor.nested::<Floor>().is_none());
                    machine_events.push(format!("Ground::{ground:?}"));
                }
                other => machine_events.push(format!("{other:?}")),
            }
        }
    }
    let starts = |start: &str| machine_events.iter().any(|event| event.starts_with(start));
    assert!(starts("TaskStarted { task: Hub") && starts("Transitioned") && starts("TaskFinished"));
    assert!(starts("Ground::TaskStarted { task: Write") && starts("Ground::Prompt"));
}

#[test]
fn a_process_that_fails_is_run_again_from_its_start() {
    let mut machine = tower();
    reply(&mut machine, go("failed"));
    survives(&mut machine);
    let again = call(&mut machine);
    assert_eq!((again.task, again.key.attempt()), (TowerTask::Floor, 1));
    assert_eq!(again.key.to_string(), "floor#1@2/hub#1@1", "another call has another key");
    reply(&mut machine, "nonsense");
    assert_eq!(outcome(&mut machine), TowerOutcome::Failed("failed".to_owned()));
    let nested = nested(&machine);
    assert_eq!((nested.process.as_str(), nested.task.as_str()), ("Floor", "hub"));
    assert_eq!((nested.reason, nested.attempts.len()), (Some(HaltReason::Exhausted), 1));
    let attempts = machine.last_failure().unwrap().attempts;
    assert_eq!(attempts[0].issues.to_string(), "$: not at depth 1");
    assert_eq!((attempts.len(), attempts[0].usage.calls, machine.usage().calls), (2, 1, 3));
    assert_eq!(*state(&machine), Top::default());
}

#[test]
fn what_is_left_of_the_budget_is_shared() {
    let mut options = MachineOptions::default();
    options.budget = Some(Budget { tokens: Some(100), ..Budget::NONE });
    let mut machine = started_with::<Tower>(options, Top::default());
    let costing =
        |answer: Value, tokens| ModelReply::from(answer).usage(Usage::for_call(tokens, 0));
    reply(&mut machine, costing(go("floor"), 40));
    reply(&mut machine, costing(go("ground"), 40));
    survives(&mut machine);
    reply(&mut machine, costing(note("a", 1), 20));
    assert_eq!(outcome(&mut machine), TowerOutcome::Dear);
    let halt = machine.last_failure().unwrap();
    assert!(matches!(halt.reason, HaltReason::Budget(_)), "{halt}");
    assert_eq!((machine.usage().total_tokens(), halt.attempts.len()), (100, 1));
}

#[test]
fn steps_and_time_are_shared() {
    let mut options = MachineOptions::default();
    options.max_steps = Some(4);
    let mut machine = started_with::<Tower>(options, Top::default());
    reply(&mut machine, go("floor"));
    reply(&mut machine, go("hub"));
    reply(&mut machine, go("hub"));
    let halt = outcome(&mut machine).halt().cloned().unwrap();
    assert_eq!((halt.reason, machine.steps()), (HaltReason::MaxSteps(4), 4));
    let mut machine = tower();
    assert_eq!(call(&mut machine).timeout, Some(SECOND * 20));
    reply(&mut machine, go("ground"));
    assert_eq!(call(&mut machine).timeout, Some(SECOND * 19));
    survives(&mut machine);
    time_out(&mut machine, SECOND * 19);
    assert_eq!(outcome(&mut machine), TowerOutcome::Late);
}

#[test]
fn a_run_is_cancelled_in_the_middle_of_a_process() {
    let mut machine = tower();
    machine.record(true);
    reply(&mut machine, go("ground"));
    let id = call(&mut machine).id;
    machine.handle(Event::Cancelled { reason: "enough".to_owned() });
    let halt = outcome(&mut machine).halt().cloned().unwrap();
    assert_eq!(
        (halt.task, halt.reason),
        (TowerTask::Floor, HaltReason::Cancelled("enough".into()))
    );
    assert_eq!((machine.usage().calls, machine.steps()), (2, 5));
    let elapsed = machine.drain_events().find_map(|event| match event {
        RunEvent::Finished { elapsed, .. } => Some(elapsed),
        _ => None,
    });
    assert_eq!(elapsed, Some(SECOND * 2));
    let late = Event::Replied { id, reply: note("a", 1).into(), elapsed: SECOND };
    assert_eq!(machine.handle(late), EventOutcome::NotRunning);
}

#[test]
fn an_event_after_the_end_of_the_process_within_is_stale() {
    let mut machine = tower();
    let id = call(&mut machine).id;
    reply(&mut machine, go("done"));
    machine.poll();
    let mut machine = tower();
    let again = || Event::Replied { id, reply: "x".into(), elapsed: SECOND };
    reply(&mut machine, "bad");
    assert_eq!(machine.handle(again()), EventOutcome::Stale);
    assert!(machine.outcome().is_none());
    assert_eq!(call(&mut resumed(&machine)).id, call(&mut machine).id);
}
