//! Budgets: what is counted, where a run goes, and that it ends.

use cot_engine::{
    Budget, Effect, HaltReason,
    private::{Definition, OnRoutes},
};
use cot_model::{ModelReply, Usage};
use serde_json::json;

use crate::harness::{NOTE, PROCESS, Run, ai, append, end, go, note, process, runs, to};

process! {
    Shop {
        hub: ai("")
            .go(&[to(Self::sell), to(Self::rest), to(Self::done)])
            .on(OnRoutes { budget: Some(Self::sum), ..OnRoutes::NONE }),
        sell: ai("").output(NOTE).commit(append).on(OnRoutes {
            budget: Some(Self::sum),
            exhausted: Some(Self::rest),
            ..OnRoutes::NONE
        }),
        sum: runs(Effect::Repeatable, |cx| {
            let sums = cx.cx().state["sum"].as_u64().unwrap_or(0);
            Box::pin(std::future::ready(Ok(json!(sums + 1))))
        })
        .result(),
        rest: ai("").output(NOTE).commit(append),
        done: end(),
    }
    definition: Definition {
        budget: Budget { tokens: Some(100), calls: Some(4), cost: Some(2.5) },
        max_retries: Some(1),
        default_return: Some(0),
        ..PROCESS
    };
}

fn costing(tokens: u64, cost: f64) -> ModelReply {
    ModelReply::from(go("sell")).usage(Usage::for_call(tokens, 0).cost(cost))
}

#[test]
fn each_limit_ends_the_calls() {
    for used in [costing(100, 0.0), costing(0, 2.5)] {
        let mut run = Run::start::<Shop>(json!({}));
        run.reply(used);
        assert_eq!(run.only().task, "sum");
        let halt = run.last_failure().unwrap();
        assert!(matches!(halt.reason, HaltReason::Budget(_)));
        assert_eq!((halt.task, halt.attempts.len(), run.steps()), ("sell", 0, 2));
    }
    let mut run = Run::start::<Shop>(json!({}));
    for answer in [go("sell"), note("a", 1), go("sell"), note("a", 1)] {
        run.reply(answer);
    }
    assert_eq!(run.only().task, "sum");
    assert_eq!(run.last_failure().unwrap().task, "hub");
}

#[test]
fn a_retry_is_a_call_too() {
    let mut run = Run::start::<Shop>(json!({}));
    run.reply(go("sell"));
    let bad = ModelReply::new("bad").usage(Usage::for_call(99, 1));
    run.reply(bad);
    assert_eq!(run.only().task, "sum");
    let halt = run.last_failure().unwrap();
    assert!(matches!(halt.reason, HaltReason::Budget(_)));
    assert_eq!((halt.attempts.len(), &run.state()["sell"]), (1, &json!(null)));
}

#[test]
fn routes_of_a_used_up_budget_do_not_go_round_for_ever() {
    let mut run = Run::start::<Shop>(json!({}));
    run.reply(costing(100, 0.0));
    for _ in 0..2 {
        run.survives();
        run.run_function();
    }
    let halt = run.halt();
    assert!(matches!(halt.reason, HaltReason::Budget(_)), "{halt}");
    assert_eq!((halt.task, &run.state()["sum"]), ("hub", &json!(2)));
}

#[test]
fn the_options_replace_the_declared_budget() {
    let budget = Budget { calls: Some(1), ..Budget::NONE };
    let mut run = Run::with::<Shop>(|options| options.budget = Some(budget), json!({}));
    run.reply(costing(1000, 1000.0));
    assert_eq!(run.only().task, "sum");
    let mut run = Run::with::<Shop>(|options| options.budget = Some(Budget::NONE), json!({}));
    run.reply(costing(1000, 1000.0));
    assert_eq!(run.only().task, "sell");
}

#[test]
fn without_a_route_the_run_halts() {
    let mut run = Run::start::<Shop>(json!({}));
    let all = Usage::for_call(100, 0);
    run.reply(ModelReply::from(go("rest")).usage(all));
    let halt = run.halt();
    let budget = Budget { tokens: Some(100), calls: Some(4), cost: Some(2.5) };
    assert_eq!((halt.task, halt.reason), ("rest", HaltReason::Budget(budget)));
}
