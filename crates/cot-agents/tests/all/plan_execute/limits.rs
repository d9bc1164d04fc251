//! The limits of a run: prompts, time, budget, steps.

use std::{convert::Infallible, future, time::Duration};

use cot_core::{
    Budget, CotOutput, Usage,
    model::{BoxFuture, ModelError, ModelErrorKind, ModelRequest},
    tools::{Tool, ToolSet},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::*;

/// Runs fifty steps with results of so many bytes, and returns the bytes that the prompts have beside those of
/// a run without results, and the bytes of the work.
async fn sent(result: usize) -> (usize, usize) {
    let bytes = |model: &ScriptedModel| -> usize {
        let requests = model.requests();
        requests
            .iter()
            .map(|request| request.system().unwrap().len() + request.prompt().len())
            .sum()
    };
    let mut sent = [0, 0];
    let mut held = 0;
    for (sent, result) in sent.iter_mut().zip([0, result]) {
        let model = Arc::new(ScriptedModel::from_fn(move |request| match request.prompt() {
            prompt if prompt.starts_with("Continue") => json!({
                "current": if result == 0 { "" } else { "c" }, "result": "r".repeat(result),
                "todos": "- [ ] a", "action": "continue",
            }),
            _ => plan(),
        }));
        let chain =
            ChainOfThought::new(Plan::new(Arc::clone(&model)), Execute::new(Arc::clone(&model)));
        let mut context = Context::new("Q");
        let ended = chain.run(&mut context).await;
        assert_eq!(ended, Err(ChainError::StepLimit { limit: 50 }));
        *sent = bytes(&model);
        held = context.work.len() * (result + 1);
    }
    (sent[1] - sent[0], held)
}

#[tokio::test]
async fn fifty_steps_send_at_most_five_times_their_work() {
    for result in [10, 200, 400, 700, 1_000, 2_000, 8_000, 50_000] {
        let (sent, held) = sent(result).await;
        assert!(sent <= (5 * held).max(50 * (2 << 10)), "{result}: {sent} bytes for {held}");
    }
}

#[tokio::test]
async fn the_budget_of_prompts_can_be_set() {
    let shown = |bytes: usize| async move {
        let long = json!({ "current": "a", "result": "r".repeat(6_000), "todos": "- [ ] a", "action": "continue" });
        let (chain, model) = chain([plan(), long.clone(), long, stop()]);
        chain
            .limits(ChainLimits { context_bytes: bytes, ..ChainLimits::default() })
            .run(&mut Context::new("Q"))
            .await
            .unwrap();
        system(&model, 3).len()
    };
    let (small, large) = (shown(2_000).await, shown(100_000).await);
    assert!(small < 4_000 && large > 12_000, "{small} {large}");
}

/// A model that never answers.
struct Silent;

impl cot_core::LanguageModel for Silent {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(future::pending())
    }
}

#[tokio::test(start_paused = true)]
async fn a_model_that_never_answers_is_given_up() {
    let limit = Duration::from_secs(5);
    let (scripted, _) = chain([plan()]);
    let chain = ChainOfThought::new(scripted.plan, Execute::new(Silent));
    let chain = chain.configure(move |runner| runner.timeout(limit));
    let mut context = Context::new("Q");
    assert_eq!(chain.run(&mut context).await, Err(ChainError::TimedOut(limit)));
    assert_eq!((context.todos.items.len(), &context.ending), (2, &None));
    // The context continues with another model.
    let (other, _) = super::chain([stop()]);
    other.run(&mut context).await.unwrap();
    assert_eq!(context.answer.as_deref(), Some("42"));
}

#[tokio::test]
async fn a_budget_ends_a_run_and_another_call_continues_it() {
    let (chain, model) = chain([plan(), work("a"), work("b"), stop()]);
    let budget = Budget { calls: Some(2), ..Budget::NONE };
    let chain = chain.configure(move |runner| runner.budget(budget));
    let mut context = Context::new("Q");
    assert_eq!(chain.run(&mut context).await, Err(ChainError::Budget(budget)));
    assert_eq!((context.work.len(), model.requests().len()), (1, 2));
    chain.run(&mut context).await.unwrap();
    assert_eq!((context.answer.as_deref(), context.usage), (Some("42"), calls(4)));
}

fn calls(count: u64) -> Usage {
    (0..count).map(|_| Usage::for_call(0, 0)).fold(Usage::default(), |sum, call| sum + call)
}

#[tokio::test]
async fn a_model_that_never_ends_is_stopped() {
    for reply in [work("a"), json!({ "action": "say", "arguments": { "text": "a" } }), json!("no")]
    {
        let model = Arc::new(ScriptedModel::from_fn(move |_| reply.clone()));
        let chain =
            ChainOfThought::new(Plan::new(Arc::clone(&model)), Execute::new(Arc::clone(&model)));
        let mut context = Context::new("Q");
        let error = chain.run(&mut context).await.unwrap_err();
        assert!(matches!(error, ChainError::StepLimit { limit: 50 } | ChainError::Unreadable(_)));
        assert!(model.requests().len() <= 51);
    }
    let (chain, model) = chain([plan()]);
    let mut context = Context::new("Q");
    let none = chain.limits(ChainLimits { steps: 0, ..ChainLimits::default() });
    assert_eq!(none.run(&mut context).await, Err(ChainError::StepLimit { limit: 0 }));
    assert_eq!(none.run(&mut context).await, Err(ChainError::StepLimit { limit: 0 }));
    assert_eq!(model.requests().len(), 1);
}

/// Nothing.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Nothing {}

#[tokio::test(start_paused = true)]
async fn a_tool_that_never_ends_is_given_up() {
    let stuck = || {
        Tool::new("wait", "Waits", |_: Nothing| future::pending::<Result<(), Infallible>>())
            .timeout(Duration::from_secs(3))
    };
    for (tool, result) in [
        (stuck(), "it took longer than 3s"),
        (stuck().once(), "it is not known whether the call took effect"),
    ] {
        let call = json!({ "todos": "- [ ] a", "action": "wait" });
        let (chain, _) = chain([call, stop()]);
        let chain = chain.tools(ToolSet::new().add(tool));
        let mut context = Context::new("Q");
        chain.run(&mut context).await.unwrap();
        let Work::Tool { result: told, .. } = &context.work[0] else { panic!("{context:?}") };
        assert_eq!(told.as_ref().unwrap_err(), result);
        chain.run(&mut context).await.unwrap();
        assert_eq!(context.answer.as_deref(), Some("42"));
    }
}

/// A model behind a server that rejects what it writes.
struct Rejecting(Arc<ScriptedModel>);

impl cot_core::LanguageModel for Rejecting {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async {
            self.0.reply(request).await?;
            Err(ModelError::new(ModelErrorKind::Rejected, "parameters did not match schema"))
        })
    }
}

#[tokio::test]
async fn a_server_that_rejects_every_reply_ends_the_run() {
    let (scripted, model) = chain([plan(), plan(), plan(), plan(), plan(), plan(), plan()]);
    let rejecting = Plan::new(Rejecting(Arc::clone(&model)));
    let chain = ChainOfThought::new(rejecting, scripted.execute);
    let mut context = Context::new("Q");
    let error = chain
        .limits(ChainLimits { retries: 100, ..ChainLimits::default() })
        .run(&mut context)
        .await
        .unwrap_err();
    assert!(matches!(error, ChainError::Halted(_)), "{error:?}");
    assert_eq!((model.requests().len(), context.action), (6, None));
    assert!(model.requests()[1].prompt().contains("parameters did not match schema"));
}
