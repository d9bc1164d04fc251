//! Budgets: what is counted, where a run goes, and that it ends.

use cot_core::{Budget, HaltReason, Machine, MachineOptions, Usage, model::ModelReply, prelude::*};
use serde::{Deserialize, Serialize};

use super::drive::{code, run, survives};
use crate::drive::{Note, call, go, note, outcome, reply, started, started_with, state};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Till {
    notes: Vec<Note>,
    sums: u32,
}

async fn sum(till: &Till) -> Result<u32, std::convert::Infallible> {
    Ok(till.sums + 1)
}

cot_process! {
    process Shop {
        state: Till,
        budget: { tokens: 100, calls: 4, cost: 2.5 },
        max_retries: 1,
        default_return: hub,
        task hub { transitions: { sell, rest, done }, on: { budget => sum } }
        task sell -> Note { update: notes[], on: { budget => sum, exhausted => rest } }
        task sum -> u32 { run: sum, update: { sums = output } }
        task rest -> Note { update: notes[] }
        task done { end }
    }
}

fn costing(tokens: u64, cost: f64) -> ModelReply {
    ModelReply::from(go("sell")).usage(Usage::for_call(tokens, 0).cost(cost))
}

#[test]
fn each_limit_ends_the_calls() {
    for used in [costing(100, 0.0), costing(0, 2.5)] {
        let mut machine = started::<Shop>(Till::default());
        reply(&mut machine, used);
        assert_eq!(code(&mut machine).task, ShopTask::Sum);
        let halt = machine.last_failure().unwrap();
        assert!(matches!(halt.reason, HaltReason::Budget(_)));
        assert_eq!((halt.task, halt.attempts.len(), machine.steps()), (ShopTask::Sell, 0, 2));
    }
    let mut machine = started::<Shop>(Till::default());
    for answer in [go("sell"), note("a", 1), go("sell"), note("a", 1)] {
        reply(&mut machine, answer);
    }
    assert_eq!(code(&mut machine).task, ShopTask::Sum);
    assert_eq!(machine.last_failure().unwrap().task, ShopTask::Hub);
}

#[test]
fn a_retry_is_a_call_too() {
    let mut machine = started::<Shop>(Till::default());
    reply(&mut machine, go("sell"));
    let bad = ModelReply::new("bad").usage(Usage::for_call(99, 1));
    reply(&mut machine, bad);
    assert_eq!(code(&mut machine).task, ShopTask::Sum);
    let halt = machine.last_failure().unwrap();
    assert!(matches!(halt.reason, HaltReason::Budget(_)));
    assert_eq!((halt.attempts.len(), state(&machine).notes.len()), (1, 0));
}

#[test]
fn routes_of_a_used_up_budget_do_not_go_round_for_ever() {
    let mut machine = started::<Shop>(Till::default());
    reply(&mut machine, costing(100, 0.0));
    for _ in 0..2 {
        survives(&mut machine);
        run(&mut machine);
    }
    let halt = outcome(&mut machine).halt().cloned().unwrap();
    assert!(matches!(halt.reason, HaltReason::Budget(_)), "{halt}");
    assert_eq!((halt.task, state(&machine).sums), (ShopTask::Hub, 2));
}

#[test]
fn the_options_replace_the_declared_budget() {
    let mut options = MachineOptions::default();
    options.budget = Some(Budget { calls: Some(1), ..Budget::NONE });
    let mut machine: Machine<Shop> = started_with(options, Till::default());
    reply(&mut machine, costing(1000, 1000.0));
    assert_eq!(code(&mut machine).task, ShopTask::Sum);
    let mut options = MachineOptions::default();
    options.budget = Some(Budget::NONE);
    let mut machine: Machine<Shop> = started_with(options, Till::default());
    reply(&mut machine, costing(1000, 1000.0));
    assert_eq!(call(&mut machine).task, ShopTask::Sell);
}

#[test]
fn without_a_route_the_run_halts() {
    let mut machine = started::<Shop>(Till::default());
    let all = Usage::for_call(100, 0);
    reply(&mut machine, ModelReply::from(go("rest")).usage(all));
    let halt = outcome(&mut machine).halt().cloned().unwrap();
    let budget = Budget { tokens: Some(100), calls: Some(4), cost: Some(2.5) };
    assert_eq!((halt.task, halt.reason), (ShopTask::Rest, HaltReason::Budget(budget)));
}
