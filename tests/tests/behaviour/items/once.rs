//! Functions that are called once for each item.

use cot_core::{
    Event, EventOutcome, HaltReason, ItemError, Machine, ResumeOptions, Snapshot, prelude::*,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::drive::{SECOND, started};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Orders {
    orders: Vec<u32>,
    receipts: Vec<Result<u32, ItemError>>,
}

async fn pay(_: &Orders, order: &u32) -> Result<u32, std::fmt::Error> {
    Ok(*order)
}

cot_process! {
    process Pay {
        state: Orders,

        task pay -> u32 {
            for_each: order in state.orders,
            run: pay,
            effect: once,
            collect: ok,
            update: receipts,
            next: done,
        }

        task done { end }
    }
}

fn paying() -> Machine<Pay> {
    started(Orders { orders: vec![7, 8, 9], ..Orders::default() })
}

fn resumed(machine: &Machine<Pay>) -> Machine<Pay> {
    let json = machine.snapshot().unwrap().to_json().unwrap();
    Machine::resume(Snapshot::from_json(&json).unwrap(), ResumeOptions::new()).unwrap()
}

#[test]
fn each_call_is_announced_and_one_of_unknown_outcome_is_not_made_again() {
    let mut machine = paying();
    let ids: Vec<_> = machine.poll().directives().iter().map(|call| call.id).collect();
    for id in &ids[..2] {
        assert_eq!(machine.handle(Event::Started { id: *id }), EventOutcome::Applied);
        assert_eq!(machine.handle(Event::Started { id: *id }), EventOutcome::Stale);
    }
    let ran = |id, order: u32| Event::Ran { id, result: Ok(json!(order)), elapsed: SECOND };
    machine.handle(ran(ids[0], 7));
    let mut machine = resumed(&machine);
    let calls = machine.poll().directives().to_vec();
    let starts: Vec<_> = calls
        .iter()
        .map(|call| (call.id, call.key.to_string(), call.as_function_call().unwrap().is_started()))
        .collect();
    assert_eq!(
        starts,
        [(ids[1], "pay#1[1]@1".to_owned(), true), (ids[2], "pay#1[2]@1".to_owned(), false),]
    );
    assert_eq!(machine.handle(Event::Interrupted { id: ids[2] }), EventOutcome::Stale);
    machine.handle(Event::Interrupted { id: ids[1] });
    machine.handle(Event::Started { id: ids[2] });
    machine.handle(ran(ids[2], 9));
    machine.poll();
    let receipts = &machine.state().unwrap().receipts;
    assert_eq!((&receipts[0], &receipts[2]), (&Ok(7), &Ok(9)));
    assert_eq!(
        receipts[1],
        Err(ItemError { item: 1, reason: HaltReason::Interrupted.to_string() })
    );
}

#[tokio::test]
async fn the_runner_announces_and_makes_each_call() {
    let orders = Orders { orders: (0..50).collect(), ..Orders::default() };
    let run = Pay::runner().run(orders).await.unwrap();
    assert_eq!(run.state.receipts, (0..50).map(Ok).collect::<Vec<_>>());
}
