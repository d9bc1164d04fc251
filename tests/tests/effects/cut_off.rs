//! Calls that are cut off: by a time limit, or by a cancellation after which the run is retried.

use std::future;

use cot_core::{
    Event, FunctionError, HaltReason, Machine, MachinePoll, Process, ResumeOptions, Snapshot,
    prelude::*,
};
use serde::{Deserialize, Serialize};

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
    machine.handle(Event::Cancelled { reason: "enough".to_owned() });
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
    let run = Slow::runner(bank.clone()).run(Bills::default()).await.unwrap();
    assert_eq!((bank.calls(), run.outcome), (1, SlowOutcome::Unknown));
}
