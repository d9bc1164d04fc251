//! Calls that are cut off: by a time limit, or by a cancellation after which the run is retried. A budget cuts off none.

use std::{future, time::Duration};

use cot_core::{
    Event, FunctionError, HaltReason, Machine, MachinePoll, Process, ResumeOptions, Snapshot,
    Usage, model::ModelReply, prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Bank;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Bills {
    bills: Vec<u32>,
    paid: Vec<bool>,
    left: bool,
    right: bool,
}

async fn pay(_: &Bills) -> Result<bool, FunctionError> {
    Ok(true)
}

async fn pay_item(_: &Bills, _: &u32) -> Result<bool, FunctionError> {
    Ok(true)
}

cot_process! {
    process OneCall {
        state: Bills,

        task pay -> bool {
            run: pay,
            effect: once,
            update: left,
            on: { interrupted => unknown },
            next: done,
        }

        task unknown { end }
        task done { end }
    }
}

cot_process! {
    process Items {
        state: Bills,

        task pay -> bool {
            for_each: bill in state.bills,
            run: pay_item,
            effect: once,
            update: { paid = output },
            on: { interrupted => unknown },
            next: done,
        }

        task unknown { end }
        task done { end }
    }
}

cot_process! {
    process Branches {
        state: Bills,
        parallel both [one, two] => done { on: { interrupted => unknown } }
        task one -> bool { run: pay, effect: once, update: left, next: done }
        task two -> bool { run: pay, effect: once, update: right, next: done }
        task unknown { end }
        task done { end }
    }
}

cot_process! {
    process Nested {
        state: Bills,

        task nest {
            process: OneCall with state.clone(),
            on: { interrupted => unknown },
            next: done,
        }

        task unknown { end }
        task done { end }
    }
}

/// Cancels a run whose call was announced, and retries it.
fn cancelled_and_retried<P: Process<State = Bills, Context = ()>>() -> Machine<P> {
    let mut machine = Machine::<P>::new();
    machine.start(Bills { bills: vec![7, 8], ..Bills::default() }).unwrap();
    let id = machine.poll().directives()[0].id;
    machine.handle(Event::Started { id });
    machine.poll();
    machine.handle(Event::Cancelled { reason: "enough".to_owned(), calls: 0 });
    assert!(matches!(machine.poll(), MachinePoll::Finished(_)));
    let json = machine.snapshot().unwrap().to_json().unwrap();
    let options = ResumeOptions::new().retry_halted();
    let mut machine = Machine::resume(Snapshot::from_json(&json).unwrap(), options).unwrap();
    machine.poll();
    machine
}

fn is_interrupted<P: Process<State = Bills, Context = ()>>() -> bool {
    let mut machine = cancelled_and_retried::<P>();
    let is_over = matches!(machine.poll(), MachinePoll::Finished(_));
    is_over && machine.last_failure().unwrap().reason == HaltReason::Interrupted
}

#[test]
fn a_cancelled_run_does_not_make_a_call_again_whose_outcome_is_unknown() {
    assert!(is_interrupted::<OneCall>());
    assert!(is_interrupted::<Items>());
    assert!(is_interrupted::<Branches>());
    assert!(is_interrupted::<Nested>());
}

async fn hang(_: &Bills, cx: &Cx<'_, Slow>) -> Result<bool, FunctionError> {
    cx.app().receive(cx.call_key());
    future::pending().await
}

cot_process! {
    process Slow {
        state: Bills,
        context: Bank,

        task pay -> bool {
            run: hang,
            effect: once,
            timeout: 30s,
            retry: { max: 3, backoff: 1s..1s },
            update: left,
            on: { interrupted => unknown },
            next: done,
        }

        task unknown { end }
        task done { end }
    }
}

#[tokio::test(start_paused = true)]
async fn a_time_out_takes_the_route_for_an_unknown_outcome_if_it_has_none_of_its_own() {
    let bank = Bank::default();
    let run = Slow::runner(bank.clone()).report(Bills::default()).await.unwrap();
    assert_eq!((bank.calls(), run.outcome), (1, SlowOutcome::Unknown));
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Summary {
    text: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Letters {
    letters: Vec<u32>,
    summaries: Vec<Summary>,
}

cot_process! {
    process Summaries {
        state: Letters,
        budget: { cost: 1.0 },

        task summarize -> Summary {
            for_each: letter in state.letters,
            prompt: "Letter ${letter}",
            max_concurrency: 8,
            update: { summaries = output },
            next: done,
        }

        task done { end }
    }
}

#[test]
fn calls_in_flight_when_a_budget_is_used_up_are_completed_and_counted() {
    let mut machine = Machine::<Summaries>::new();
    let letters = (0..20).collect();
    machine.start(Letters { letters, ..Letters::default() }).unwrap();
    let mut made = 0;
    while let Some(call) = machine.poll().directives().first() {
        let id = call.id;
        let usage = Usage::for_call(10, 10).cost(0.3);
        let reply = ModelReply::from(json!({ "text": "short" })).usage(usage);
        machine.handle(Event::Replied { id, reply, elapsed: Duration::from_secs(1) });
        made += 1;
    }
    let MachinePoll::Finished(SummariesOutcome::Halted(halt)) = machine.poll() else { panic!() };
    assert!(halt.reason.to_string().contains("the budget of"), "{}", halt.reason);
    // Four calls use up the budget. All that were begun until then are completed.
    assert_eq!((made, machine.usage().calls), (11, 11));
}
