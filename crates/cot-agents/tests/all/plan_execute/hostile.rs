//! Models that lie, tools that never end, and contexts from elsewhere.

use std::{
    convert::Infallible,
    future,
    sync::atomic::{AtomicUsize, Ordering},
};

use cot_core::CotOutput;
use cot_core::model::FinishReason;
use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::*;

/// The limit of a count.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Count {
    to: u32,
}

async fn count(count: Count) -> Result<u32, Infallible> {
    Ok(count.to)
}

fn calling(arguments: Value) -> Value {
    json!({ "todos": "- [ ] a", "action": "count", "arguments": arguments })
}

async fn ran(chain: &ChainOfThought) -> Context {
    let mut context = Context::new("Q");
    let result = chain.run(&mut context).await;
    assert_eq!(result.is_ok(), context.ending == Some(Ending::Stopped), "{result:?}");
    context
}

#[tokio::test]
async fn an_answer_that_was_cut_off_is_none() {
    let whole = r#"{ "action": "stop", "final": "4" }"#;
    for (reply, finish, ending) in [
        (r#"{ "action": "stop", "final": "The ans"#, FinishReason::Length, Ending::Truncated),
        (r#"{ "action": "stop", "final": "4""#, FinishReason::Length, Ending::Truncated),
        (whole, FinishReason::Length, Ending::Stopped),
        (whole, FinishReason::Refusal, Ending::Refused),
    ] {
        let reply = || ModelReply::new(reply).finish(finish.clone());
        let planned = ran(&chain_of([reply()]).0).await;
        let executed = ran(&chain_of([plan().into(), reply()]).0).await;
        for context in [planned, executed] {
            assert_eq!(context.ending, Some(ending.clone()), "{finish:?}");
            assert_eq!(context.answer.is_some(), ending == Ending::Stopped);
        }
    }
}

#[tokio::test]
async fn arguments_are_brought_towards_their_type() {
    for (arguments, result) in [
        (json!({ "to": "7" }), "7"),
        (json!("{\"to\": 7}"), "7"),
        (json!({ "To": 7.0, "from": null }), "7"),
    ] {
        let (chain, _) = chain([calling(arguments.clone()), stop()]);
        let context = ran(&chain.tools(ToolSet::new().tool("count", "Counts", count))).await;
        let Work::Tool { result: told, .. } = &context.work[0] else { panic!("{context:?}") };
        assert_eq!(told.as_deref(), Ok(result), "{arguments}");
    }
}

#[tokio::test]
async fn whatever_stands_for_the_action_ends_or_is_told() {
    for action in [json!({ "tools": "count" }), json!(["count", 1]), json!(42), json!("Counting")] {
        let reply = json!({ "todos": ["- [ ] a"], "action": action });
        let (chain, model) = chain([reply, stop()]);
        let context = ran(&chain.tools(ToolSet::new().tool("count", "Counts", count))).await;
        assert_eq!(context.ending, Some(Ending::Stopped));
        let told = system(&model, 1);
        assert!(told.contains("failed: there is no such tool; there are: `count`"), "{told}");
    }
}

#[tokio::test]
async fn names_that_the_model_can_not_say_are_refused_before_the_first_call() {
    for name in ["continue", "Stop", "", " count", "count\n"] {
        let (chain, model) = chain([plan(), stop()]);
        let chain =
            chain.tools(ToolSet::new().tool("count", "Counts", count).tool(name, "Counts", count));
        let error = chain.run(&mut Context::new("Q")).await.unwrap_err();
        assert_eq!(error, ChainError::ToolName { name: name.to_owned() });
        assert!(error.to_string().starts_with(&format!("`{name}` ")), "{error}");
        assert!(model.requests().is_empty());
    }
}

#[tokio::test]
async fn a_run_that_is_dropped_goes_on_where_it_stood() {
    let (chain, model) = chain([calling(json!({ "to": 3 })), stop()]);
    let stuck =
        chain.clone().tools(ToolSet::new().tool("count", "Never ends", async |_: Count| {
            future::pending::<Result<(), Infallible>>().await
        }));
    let mut context = Context::new("Q");
    assert_eq!(stuck.run(&mut context).now_or_never(), None);
    assert_eq!((context.todos.items.len(), context.work.len()), (1, 0));

    let kept = serde_json::to_value(&context).unwrap();
    let mut context: Context = serde_json::from_value(kept).unwrap();
    chain.tools(ToolSet::new().tool("count", "Counts", count)).run(&mut context).await.unwrap();
    let called = Work::Tool {
        name: "count".to_owned(),
        arguments: json!({ "to": 3 }),
        result: Ok("3".to_owned()),
    };
    assert_eq!((&context.work[0], context.answer.as_deref()), (&called, Some("42")));
    assert_eq!(model.requests().len(), 2);
}

#[tokio::test]
async fn runs_at_the_same_time_know_nothing_of_each_other() {
    let model = ScriptedModel::from_fn(|request| match request.prompt() {
        prompt if prompt.starts_with("Continue") => {
            let system = request.system().unwrap_or_default();
            let answer = if system.contains("gave: 1\n") { "one" } else { "two" };
            json!({ "action": "stop", "final": answer })
        }
        question => calling(json!({ "to": question })),
    });
    let model = Arc::new(model);
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let chain = ChainOfThought::new(Plan::new(Arc::clone(&model)), Execute::new(model)).tools(
        ToolSet::new().tool("count", "Counts", move |given: Count| {
            counted.fetch_add(1, Ordering::SeqCst);
            async move {
                tokio::task::yield_now().await;
                count(given).await
            }
        }),
    );
    let (mut one, mut two) = (Context::new("1"), Context::new("2"));
    let (first, second) =
        futures_util::future::join(chain.run(&mut one), chain.run(&mut two)).await;
    assert_eq!((first, second, calls.load(Ordering::SeqCst)), (Ok(()), Ok(()), 2));
    assert_eq!((one.answer.as_deref(), two.answer.as_deref()), (Some("one"), Some("two")));
}

#[tokio::test]
async fn a_plan_may_have_thousands_of_tasks() {
    let lines: Vec<String> = (0..5_000).map(|i| format!("- [ ] task {i}")).collect();
    let (chain, model) = chain([json!({ "todos": lines, "action": "continue" }), stop()]);
    let chain = chain.limits(ChainLimits { steps: 1, ..ChainLimits::default() });
    let context = ran(&chain).await;
    assert_eq!(context.todos.items.len(), 1);
    // The beginning is shown.
    let shown = system(&model, 1);
    assert!(shown.contains("(0 tasks are done)\n- [ ] task 0\n- [ ] task 1\n"), "{shown}");
    assert!(shown.len() < 12 << 10 && !shown.contains("task 4999"), "{}", shown.len());
}

#[tokio::test]
async fn what_can_not_be_read_is_no_plan_and_no_work() {
    for replies in [["what?".into(), stop().into()], [plan().into(), ModelReply::new("what?")]] {
        let (chain, _) = chain_of(replies);
        let told = Arc::new(std::sync::Mutex::new(Vec::new()));
        let list = Arc::clone(&told);
        let chain = chain.observe(move |progress| list.lock().unwrap().push(progress.clone()));
        let context =
            ran(&chain.limits(ChainLimits { retries: 0, ..ChainLimits::default() })).await;
        let told = told.lock().unwrap();
        let (end, before) = told.split_last().unwrap();
        let ending = context.ending.clone().unwrap();
        assert_eq!(end, &Progress::Ended { ending, answer: None });
        assert_eq!(before.len(), context.usage.calls as usize - 1, "{before:?}");
    }
}

#[test]
fn a_context_from_elsewhere_is_read_or_refused() {
    let odd = json!({ "question": "Q", "version": 7, "usage": {
        "calls": u64::MAX, "input_tokens": 0, "output_tokens": 0, "further": [] } });
    let mut context: Context = serde_json::from_value(odd).unwrap();
    let reply = ModelReply::new("").usage(cot_core::Usage::for_call(1, 1));
    let (chain, _) = chain([]);
    chain.plan.post(&mut context, reply);
    assert_eq!(context.usage.calls, u64::MAX);
    for wrong in [
        json!({ "question": 1 }),
        json!({ "todos": "- [ ] a" }),
        json!({ "work": [{ "sleep": {} }] }),
        json!({ "ending": "tired" }),
        json!({ "action": 4 }),
    ] {
        assert!(serde_json::from_value::<Context>(wrong.clone()).is_err(), "{wrong}");
    }
}
