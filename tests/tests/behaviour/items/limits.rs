//! Limits of a run that its items share.

use std::time::Duration;

use cot_core::{
    Event, HaltReason, Machine, MachineOptions, MachinePoll, Usage, model::ModelReply, prelude::*,
};
use serde::{Deserialize, Serialize};

use crate::drive::{Note, SECOND, note, started_with};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Many {
    items: Vec<u32>,
    done: Vec<Few>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Few {
    notes: Vec<Note>,
}

cot_process! {
    process Two {
        state: Few,
        task first -> Note { update: notes[], next: second }
        task second -> Note { update: notes[], next: done }
        task done { end }
    }
}

cot_process! {
    process Middle {
        state: Few,
        task two { process: Two with state.clone(), update: { notes = output.notes }, next: done }
        task done { end }
    }
}

cot_process! {
    process All {
        state: Many,

        task all {
            for_each: item in state.items,
            process: Middle with Few { notes: vec![Note { text: item.to_string(), rank: 0 }] },
            max_concurrency: 4,
            update: { done = output },
            on: { budget => spent },
            next: end,
        }

        task spent { fail: "spent" }
        task end { end }
    }
}

fn all(items: u32, options: MachineOptions) -> Machine<All> {
    started_with(options, Many { items: (0..items).collect(), done: Vec::new() })
}

/// Answers the calls in flight one by one, the newest first, until none is left. Returns the most calls that
/// were in flight.
fn answer_all(machine: &mut Machine<All>, elapsed: Duration) -> usize {
    let mut most = 0;
    while let Some(call) = machine.poll().directives().last().cloned() {
        let calls = machine.poll().directives().len();
        assert_eq!(calls, machine.pending_calls());
        most = most.max(calls);
        let reply = ModelReply::from(note("a", 1)).usage(Usage::for_call(10, 1).cost(0.5));
        machine.handle(Event::Replied { id: call.id, reply, elapsed });
    }
    most
}

#[test]
fn calls_in_flight_count_against_the_budget_exactly() {
    for (calls, is_enough) in [(12, true), (11, false), (5, false), (1, false)] {
        let mut options = MachineOptions::default();
        options.budget = Some(cot_core::Budget { calls: Some(calls), ..cot_core::Budget::NONE });
        let mut machine = all(6, options);
        let most = answer_all(&mut machine, SECOND);
        assert!(most <= 4);
        assert!(machine.usage().calls <= calls, "{} of {calls}", machine.usage().calls);
        let outcome = machine.outcome().unwrap();
        let expected =
            if is_enough { AllOutcome::End } else { AllOutcome::Spent("spent".to_owned()) };
        assert_eq!(outcome, expected);
    }
}

#[test]
fn what_sub_processes_consume_is_counted_once_and_at_once() {
    let mut machine = all(3, MachineOptions::default());
    let call = machine.poll().directives()[0].clone();
    let reply = ModelReply::from(note("a", 1)).usage(Usage::for_call(10, 1).cost(0.5));
    machine.handle(Event::Replied { id: call.id, reply, elapsed: SECOND });
    assert_eq!(machine.usage(), Usage::for_call(10, 1).cost(0.5));
    answer_all(&mut machine, SECOND);
    let mut expected = Usage::for_call(60, 6).cost(3.0);
    expected.calls = 6;
    assert_eq!((machine.usage(), machine.steps()), (expected, 1 + 3 * 3));
}

#[test]
fn sub_processes_share_the_steps_and_the_time_of_the_run() {
    let mut options = MachineOptions::default();
    options.max_steps = Some(15);
    let mut machine = all(6, options);
    answer_all(&mut machine, SECOND);
    assert_eq!(machine.steps(), 15);
    assert_eq!(reason(&machine), HaltReason::MaxSteps(15));

    let mut options = MachineOptions::default();
    options.timeout = Some(Duration::from_secs(9));
    let mut machine = all(4, options.clone());
    answer_all(&mut machine, SECOND);
    assert_eq!(machine.outcome(), Some(AllOutcome::End));
    let mut machine = all(4, options);
    let first = machine.poll().directives()[0].clone();
    assert_eq!(first.timeout, Some(Duration::from_secs(9)));
    let reply = ModelReply::from(note("a", 1));
    machine.handle(Event::Replied { id: first.id, reply, elapsed: Duration::from_secs(7) });
    let left = machine.poll().directives().iter().map(|call| call.timeout).collect::<Vec<_>>();
    assert_eq!(left, [9, 9, 9, 2].map(|seconds| Some(Duration::from_secs(seconds))));
    let last = machine.poll().directives()[3].clone();
    machine.handle(Event::TimedOut { id: last.id, elapsed: Duration::from_secs(2) });
    assert_eq!(reason(&machine), HaltReason::RunTimeout(Duration::from_secs(9)));
}

/// The reason of the item that failed the task.
fn reason(machine: &Machine<All>) -> HaltReason {
    let Some(AllOutcome::Halted(halt)) = machine.outcome() else {
        panic!("{:?}", machine.outcome())
    };
    let HaltReason::ItemFailed(failed) = halt.reason else { panic!("{halt}") };
    failed.reason
}

/// A poll after an event does not visit the other items.
#[test]
fn many_items_can_be_in_flight() {
    let mut machine = started_with::<All>(
        MachineOptions::default(),
        Many { items: (0..300).collect(), done: Vec::new() },
    );
    let mut newest = None;
    let mut named = 0;
    let mut in_flight = std::collections::VecDeque::new();
    while let MachinePoll::Waiting(calls) = machine.poll_after(newest) {
        assert!(calls.is_sorted_by_key(|call| call.id));
        named += calls.len();
        newest = calls.last().map(|call| call.id).or(newest);
        in_flight.extend(calls.iter().map(|call| call.id));
        assert_eq!(machine.pending_calls(), in_flight.len());
        let id = in_flight.pop_front().unwrap();
        assert!(machine.is_pending(id));
        machine.handle(Event::Replied { id, reply: note("a", 1).into(), elapsed: SECOND });
        assert!(!machine.is_pending(id));
    }
    assert_eq!((named, machine.state().unwrap().done.len()), (600, 300));
}
