//! Models that call tools natively.

use std::convert::Infallible;

use cot_core::{
    CotOutput,
    model::{FinishReason, ToolCall},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::*;

/// A text to say.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Say {
    text: String,
}

async fn say(say: Say) -> Result<String, Infallible> {
    Ok(say.text)
}

fn says(text: &str) -> ToolCall {
    ToolCall::new("say", json!({ "text": text }))
}

fn results(context: &Context) -> Vec<Result<&str, &str>> {
    let results = context.work.iter().filter_map(|work| match work {
        Work::Tool { result, .. } => Some(result.as_deref().map_err(String::as_str)),
        _ => None,
    });
    results.collect()
}

#[tokio::test]
async fn all_calls_of_a_reply_are_made() {
    let beside = json!({ "todos": "- [ ] say it", "action": "continue" });
    let plan = ModelReply::new(beside.to_string()).tool_calls([says("a"), says("b")]);
    let silent = ModelReply::calling([says("c"), ToolCall::new("shout", "{}"), says("d")]);
    let (chain, model) = chain_of([plan, silent, stop().into()]);
    let mut context = Context::new("Q");
    chain.tools(ToolSet::new().tool("say", "Says it", say)).run(&mut context).await.unwrap();
    assert_eq!(model.requests()[0].tools.len(), 1);
    let unknown = "there is no such tool; there are: `say`";
    assert_eq!(results(&context), [Ok("a"), Ok("b"), Ok("c"), Err(unknown), Ok("d")]);
    assert_eq!(context.todos.to_string(), "- [x] z");
    assert!(system(&model, 1).contains("The tasks:\n- [ ] say it\n"));
    assert!(context.further_calls.is_empty());
}

#[tokio::test]
async fn calls_that_were_cut_off_are_not_made() {
    let cut = ModelReply::calling([says("a")]).finish(FinishReason::Length);
    let (chain, _) = chain_of([cut]);
    let mut context = Context::new("Q");
    let ended = chain.tools(ToolSet::new().tool("say", "Says it", say)).run(&mut context).await;
    assert_eq!((ended, context.work.len()), (Err(ChainError::Truncated), 0));
}

#[tokio::test]
async fn a_context_that_requests_calls_survives_json() {
    let (first, _) = chain_of([ModelReply::calling([says("a"), says("b")])]);
    let mut context = Context::new("Q");
    // The stage alone reads no native calls: a reply without text is unreadable.
    assert_eq!(first.plan.run(&mut context).await, Ok(Action::Stop));
    let requested = json!({
        "question": "Q", "action": "say", "calls": [says("a")], "further_calls": [says("b")],
    });
    let mut context: Context = serde_json::from_value(requested).unwrap();
    let (chain, _) = chain([stop()]);
    chain.tools(ToolSet::new().tool("say", "Says it", say)).run(&mut context).await.unwrap();
    assert_eq!(results(&context), [Ok("a"), Ok("b")]);
}

#[tokio::test]
async fn tools_with_names_that_vendors_refuse_are_in_the_prompt() {
    for (name, is_native) in [("say", true), ("say/it", false), ("sagt_es_schön", false)] {
        let call = json!({ "todos": "- [ ] a", "action": name, "arguments": { "text": "a" } });
        let (chain, model) = chain([call, stop()]);
        let mut context = Context::new("Q");
        chain.tools(ToolSet::new().tool(name, "Says it", say)).run(&mut context).await.unwrap();
        assert_eq!(results(&context), [Ok("a")]);
        assert_eq!(!model.requests()[0].tools.is_empty(), is_native, "{name}");
        assert!(system(&model, 0).contains(&format!("{name}: Says it")));
    }
}
