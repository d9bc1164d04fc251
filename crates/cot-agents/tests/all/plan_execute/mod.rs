//! Chains with scripted models.
#![expect(clippy::panic, clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod continuing;
mod durable;
mod hostile;
mod kit;
mod limits;
mod native;
mod running;
mod tools;

use std::sync::Arc;

use cot_core::{
    Runner,
    model::{ModelReply, ScriptedModel},
    plan_execute::*,
    store::Store,
    tools::ToolSet,
};
use serde_json::{Value, json};

/// A chain with scripted replies, and its model, which records the requests.
fn chain<const N: usize>(replies: [Value; N]) -> (ChainOfThought, Arc<ScriptedModel>) {
    chain_of(replies.map(ModelReply::from))
}

fn chain_of<const N: usize>(replies: [ModelReply; N]) -> (ChainOfThought, Arc<ScriptedModel>) {
    let model = Arc::new(ScriptedModel::new(replies));
    let (plan, execute) = (Plan::new(Arc::clone(&model)), Execute::new(Arc::clone(&model)));
    (ChainOfThought::new(plan, execute), model)
}

/// Stores the run of a chain under a name.
fn stored(
    store: impl Store + Clone + 'static,
    run: &'static str,
) -> impl Fn(Runner<PlanExecute>) -> Runner<PlanExecute> {
    move |runner| runner.store(store.clone()).run_id(run)
}

fn plan() -> Value {
    json!({ "todos": "- [ ] a\n- [ ] b", "action": "continue" })
}

fn work(current: &str) -> Value {
    let todos = format!("- [x] {current}\n- [ ] more");
    json!({ "current": current, "result": format!("{current}!"), "todos": todos, "action": "continue" })
}

fn stop() -> Value {
    json!({ "current": "z", "result": "z!", "todos": "- [x] z", "action": "stop", "final": "42" })
}

fn system(model: &ScriptedModel, request: usize) -> String {
    model.requests()[request].system().unwrap().to_owned()
}
