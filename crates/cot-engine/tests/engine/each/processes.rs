//! For-each tasks over processes: what the items share with the run.

use std::collections::VecDeque;

use cot_engine::{
    Budget, Event, HaltReason, MachineOptions,
    private::{Collect, Ending, OnRoutes},
};
use cot_model::{ModelReply, Usage};
use serde_json::{Value, json};

use crate::harness::{
    NOTE, Run, SECOND, ai, each_process, end, fail, note, process, seconds, sub_process,
};

process! {
    Two {
        first: ai("").output(NOTE).next(&[Self::second]),
        second: ai("").output(NOTE).next(&[Self::done]),
        done: end(),
    }
}

process! {
    Middle {
        two: sub_process::<Two>().next(&[Self::done]),
        done: end(),
    }
}

process! {
    All {
        all: each_process::<Middle>()
            .items(Some(4), Collect::All)
            .on(OnRoutes { budget: Some(Self::spent), ..OnRoutes::NONE })
            .next(&[Self::done]),
        spent: fail("spent"),
        done: end(),
    }
}

fn items(count: usize) -> Value {
    json!({ "items": vec![json!({}); count] })
}

fn all(count: usize, change: impl FnOnce(&mut MachineOptions)) -> Run {
    Run::with::<All>(change, items(count))
}

fn paid() -> ModelReply {
    ModelReply::from(note("a", 1)).usage(Usage::for_call(10, 1).cost(0.5))
}

/// Answers the calls in flight one by one, the newest first, until none is left. Returns the most calls that
/// were in flight.
fn answer_all(run: &mut Run) -> usize {
    let mut most = 0;
    while let Some(call) = run.directives().last().cloned() {
        let calls = run.directives().len();
        assert_eq!(calls, run.pending_calls());
        most = most.max(calls);
        run.reply_to(&call, paid());
    }
    most
}

/// The reason of the item that failed the task.
fn reason(run: &mut Run) -> HaltReason {
    match run.halt().reason {
        HaltReason::ItemFailed(failed) => failed.reason,
        other => panic!("expected an item, got {other:?}"),
    }
}

#[test]
fn calls_in_flight_count_against_the_budget_exactly() {
    for (calls, is_enough) in [(12, true), (11, false), (5, false), (1, false)] {
        let budget = Budget { calls: Some(calls), ..Budget::NONE };
        let mut run = all(6, |options| options.budget = Some(budget));
        assert!(answer_all(&mut run) <= 4);
        assert!(run.usage().calls <= calls, "{} of {calls}", run.usage().calls);
        let spent = || Ending::Fail("spent", "spent".to_owned());
        assert_eq!(run.ending(), if is_enough { Ending::End("done") } else { spent() });
    }
}

#[test]
fn what_sub_processes_consume_is_counted_once_and_at_once() {
    let mut run = all(3, |_| {});
    let call = run.directives()[0].clone();
    run.reply_to(&call, paid());
    assert_eq!(run.usage(), Usage::for_call(10, 1).cost(0.5));
    answer_all(&mut run);
    let expected = Usage { calls: 6, ..Usage::for_call(60, 6).cost(3.0) };
    assert_eq!((run.usage(), run.steps()), (expected, 1 + 3 * 3));
}

#[test]
fn sub_processes_share_the_steps_of_the_run() {
    let mut run = all(6, |options| options.max_steps = Some(15));
    answer_all(&mut run);
    assert_eq!(run.steps(), 15);
    assert_eq!(reason(&mut run), HaltReason::MaxSteps(15));
}

#[test]
fn sub_processes_share_the_time_of_the_run() {
    let limited = |options: &mut MachineOptions| options.timeout = Some(seconds(9));
    let mut run = all(4, limited);
    answer_all(&mut run);
    assert_eq!(run.ending(), Ending::End("done"));
    let mut run = all(4, limited);
    let first = run.directives()[0].clone();
    assert_eq!(first.timeout, Some(seconds(9)));
    let reply = note("a", 1).into();
    run.handle(Event::Replied { id: first.id, reply, elapsed: seconds(7) });
    let left: Vec<_> = run.directives().iter().map(|call| call.timeout).collect();
    assert_eq!(left, [9, 9, 9, 2].map(|left| Some(seconds(left))));
    let last = run.directives()[3].clone();
    run.handle(Event::TimedOut { id: last.id, elapsed: seconds(2) });
    assert_eq!(reason(&mut run), HaltReason::RunTimeout(seconds(9)));
}

#[test]
fn calls_of_other_items_are_dropped_with_a_failed_one_and_counted() {
    let mut run = all(6, |options| options.max_steps = Some(9));
    answer_all(&mut run);
    // Three items took the steps; the calls of the first two were in flight.
    assert_eq!(reason(&mut run), HaltReason::MaxSteps(9));
    let usage = run.usage();
    assert_eq!(usage.calls - usage.uncounted_calls, usage.input_tokens / 10);
    assert!(usage.uncounted_calls > 0);
}

/// A poll after an event does not visit the other items.
#[test]
fn many_items_can_be_in_flight() {
    const ITEMS: usize = 100;
    let mut run = Run::start::<All>(items(ITEMS));
    let (mut newest, mut named, mut in_flight) = (None, 0, VecDeque::new());
    loop {
        let calls = run.directives_after(newest);
        assert!(calls.is_sorted_by_key(|call| call.id));
        named += calls.len();
        newest = calls.last().map(|call| call.id).or(newest);
        in_flight.extend(calls.iter().map(|call| call.id));
        assert_eq!(run.pending_calls(), in_flight.len());
        let Some(id) = in_flight.pop_front() else { break };
        assert!(run.is_pending(id));
        run.handle(Event::Replied { id, reply: note("a", 1).into(), elapsed: SECOND });
        assert!(!run.is_pending(id));
    }
    assert_eq!(run.ending(), Ending::End("done"));
    assert_eq!((named, run.state()["all"].as_array().unwrap().len()), (2 * ITEMS, ITEMS));
}
