//! Calls that are made once, and runs that continue after their ends.

use std::{
    convert::Infallible,
    future,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use cot_core::{
    Approval, CotOutput,
    model::{BoxFuture, ModelError, ModelRequest, ToolCall},
    store::MemoryStore,
    tools::{Tool, ToolSet},
};
use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::*;

/// No arguments.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Nothing {}

const UNKNOWN: &str = "it is not known whether the call took effect";

/// A tool that returns at once, and counts its calls.
fn look(calls: &Arc<AtomicUsize>) -> Tool {
    let calls = Arc::clone(calls);
    Tool::new("look", "Looks", move |_: Nothing| {
        future::ready(Ok::<_, Infallible>(calls.fetch_add(1, Ordering::SeqCst)))
    })
}

/// A tool that is made once and does not return, and counts its calls.
fn pay(calls: &Arc<AtomicUsize>) -> Tool {
    let calls = Arc::clone(calls);
    Tool::new("pay", "Pays", move |_: Nothing| {
        calls.fetch_add(1, Ordering::SeqCst);
        future::pending::<Result<(), Infallible>>()
    })
    .once()
}

fn calling(names: &[&str]) -> ModelReply {
    ModelReply::calling(names.iter().map(|name| ToolCall::new(*name, json!({}))))
}

fn results(context: &Context) -> Vec<(&str, Result<&str, &str>)> {
    let results = context.work.iter().filter_map(|work| match work {
        Work::Tool { name, result, .. } => {
            Some((name.as_str(), result.as_deref().map_err(String::as_str)))
        }
        _ => None,
    });
    results.collect()
}

fn counts<const N: usize>(counters: [&Arc<AtomicUsize>; N]) -> [usize; N] {
    counters.map(|counter| counter.load(Ordering::SeqCst))
}

#[tokio::test(start_paused = true)]
async fn an_interrupted_call_leaves_the_results_of_the_others() {
    let (looks, pays) = <(Arc<AtomicUsize>, Arc<AtomicUsize>)>::default();
    let round = calling(&["look", "look", "pay", "look"]);
    let (chain, model) = chain_of([round, stop().into()]);
    let pay = pay(&pays).timeout(Duration::from_secs(3));
    let chain = chain.tools(ToolSet::new().add(look(&looks)).add(pay));
    let mut context = Context::new("Q");
    chain.run(&mut context).await.unwrap();
    let expected = [("look", Ok("0")), ("look", Ok("1")), ("pay", Err(UNKNOWN)), ("look", Ok("2"))];
    assert_eq!(results(&context), expected);
    assert_eq!((counts([&looks, &pays]), model.requests().len()), ([3, 1], 2));
}

#[tokio::test]
async fn a_stored_round_keeps_the_results_before_an_interrupted_call() {
    let (looks, pays) = <(Arc<AtomicUsize>, Arc<AtomicUsize>)>::default();
    let (chain, _) = chain_of([calling(&["look", "pay", "look"]), stop().into()]);
    let tools = ToolSet::new().add(look(&looks)).add(pay(&pays));
    let chain = chain.tools(tools).configure(stored(MemoryStore::default(), "chain"));
    assert_eq!(chain.run(&mut Context::new("Q")).now_or_never(), None);
    let mut context = Context::default();
    chain.run(&mut context).await.unwrap();
    assert_eq!(results(&context), [("look", Ok("0")), ("pay", Err(UNKNOWN)), ("look", Ok("1"))]);
    assert_eq!(counts([&looks, &pays]), [2, 1]);
}

#[tokio::test]
async fn a_dropped_run_repeats_no_call_that_is_made_once() {
    for needs_approval in [false, true] {
        let (looks, pays) = <(Arc<AtomicUsize>, Arc<AtomicUsize>)>::default();
        let (chain, _) = chain_of([calling(&["look", "pay", "look"]), stop().into()]);
        let pay = if needs_approval { pay(&pays).approved() } else { pay(&pays) };
        let chain = chain
            .tools(ToolSet::new().add(look(&looks)).add(pay))
            .configure(|runner| runner.person(async |_| Approval::approve()));
        let mut context = Context::new("Q");
        assert_eq!(chain.run(&mut context).now_or_never(), None);
        assert_eq!((results(&context), counts([&looks, &pays])), (vec![("look", Ok("0"))], [1, 1]));
        let kept = serde_json::to_string(&context).unwrap();
        let mut context: Context = serde_json::from_str(&kept).unwrap();
        chain.run(&mut context).await.unwrap();
        let expected = [("look", Ok("0")), ("pay", Err(UNKNOWN)), ("look", Ok("1"))];
        assert_eq!((results(&context), counts([&looks, &pays])), (expected.to_vec(), [2, 1]));
    }
}

#[tokio::test]
async fn a_call_that_waited_for_its_approval_is_made_by_the_next_run() {
    let booked = Tool::new("pay", "Pays", async |_: Nothing| Ok::<_, Infallible>("paid"));
    let (chain, _) = chain_of([calling(&["pay"]), stop().into()]);
    let chain = chain.tools(ToolSet::new().add(booked.once().approved()));
    let mut context = Context::new("Q");
    let absent = chain.clone().configure(|runner| runner.person(|_| future::pending::<Approval>()));
    assert_eq!(absent.run(&mut context).now_or_never(), None);
    chain
        .configure(|runner| runner.person(async |_| Approval::approve()))
        .run(&mut context)
        .await
        .unwrap();
    assert_eq!(results(&context), [("pay", Ok("paid"))]);
}

#[tokio::test]
async fn a_stored_run_continues_with_a_higher_limit_of_steps() {
    let store = MemoryStore::default();
    let (chain, model) = chain([plan(), work("a"), work("b"), stop()]);
    let chain = chain
        .limits(ChainLimits { steps: 2, ..ChainLimits::default() })
        .configure(stored(store, "chain"));
    let mut context = Context::new("Q");
    for _ in 0..2 {
        assert_eq!(chain.run(&mut context).await, Err(ChainError::StepLimit { limit: 2 }));
        assert_eq!((context.work.len(), model.requests().len()), (2, 3));
    }
    chain
        .limits(ChainLimits { steps: 50, ..ChainLimits::default() })
        .run(&mut context)
        .await
        .unwrap();
    assert_eq!((context.answer.as_deref(), context.work.len()), (Some("42"), 3));
}

#[tokio::test]
async fn runners_hide_tools_with_names_that_vendors_refuse() {
    let say = Tool::new("say/it", "Says", async |_: Nothing| Ok::<_, Infallible>(""));
    let (chain, model) = chain([plan(), stop()]);
    let runner = chain.tools(ToolSet::new().add(say)).runner();
    runner.run(Context::new("Q")).await.unwrap();
    assert!(model.requests().iter().all(|request| request.tools.is_empty()));
    assert!(system(&model, 1).contains("{ \"action\": \"say/it\", \"arguments\": "));
}

/// A model that never answers.
struct Silent;

impl cot_core::LanguageModel for Silent {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(future::pending())
    }
}

#[tokio::test]
async fn the_usage_of_a_resumed_run_counts_its_earlier_calls() {
    let store = MemoryStore::default();
    let (scripted, _) = chain([plan()]);
    let chain =
        ChainOfThought::new(scripted.plan, Execute::new(Silent)).configure(stored(store, "chain"));
    for _ in 0..2 {
        let mut context = Context::new("Q");
        assert_eq!(chain.run(&mut context).now_or_never(), None);
        assert_eq!((context.todos.items.len(), context.usage.calls), (2, 1));
    }
}
