//! What works on every process works on a chain.

use std::{convert::Infallible, future};

use cot_core::{
    CotOutput, RunEvent,
    prelude::*,
    replay::{Capture, Replay},
    store::MemoryStore,
    task_format::{RunRecorder, load_trace, parse, validate},
    testing::{Coverage, Monkey},
    tools::{Tool, ToolSet},
};
use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::*;

/// A number.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Double {
    number: u32,
}

async fn double(double: Double) -> Result<u32, Infallible> {
    Ok(double.number.saturating_mul(2))
}

fn doubling() -> (ChainOfThought, Arc<ScriptedModel>) {
    let call =
        json!({ "todos": "- [ ] double", "action": "double", "arguments": { "number": 21 } });
    let (chain, model) = chain([json!("what?"), call, stop()]);
    (chain.tools(ToolSet::new().tool("double", "Doubles", double)), model)
}

#[tokio::test]
async fn a_capture_answers_the_same_calls() {
    let (capture, captured) = Capture::to_memory();
    let (chain, model) = doubling();
    let run = chain.runner().capture(capture.clone()).run(Context::new("Q")).await.unwrap();
    capture.finish().unwrap();
    let replay = |chain: &ChainOfThought| {
        let replay: Replay = captured.replay().unwrap();
        chain.runner().replay(replay).report(Context::new("Q"))
    };
    let replayed = replay(&chain).await.unwrap();
    assert_eq!((replayed.outcome, replayed.state), (run.outcome, run.state));
    assert_eq!(model.requests().len(), 3);
    // A changed prompt is a difference.
    let mut changed = chain.clone();
    changed.plan = changed.plan.with_prompt("Other: {question}");
    let outcome = replay(&changed).await.unwrap().outcome;
    assert!(matches!(outcome, PlanExecuteOutcome::Halted(_)), "{outcome:?}");
}

#[tokio::test]
async fn coverage_counts_the_tasks() {
    let coverage = Coverage::<PlanExecute>::new();
    let (chain, _) = doubling();
    chain.runner().observe(coverage.watch()).run(Context::new("Q")).await.unwrap();
    let visits = [PlanExecuteTask::Plan, PlanExecuteTask::CallTools, PlanExecuteTask::Execute];
    // The reply that can not be used is one of the same visit.
    assert_eq!(visits.map(|task| coverage.visits(task)), [1, 1, 1]);
    assert!(coverage.share() > 0.3 && !coverage.missing().is_empty());
}

#[test]
fn it_is_described_and_drawn() {
    let description = PlanExecute::describe();
    let (text, dot) = (description.text(), description.dot());
    for task in ["choose", "plan", "execute", "call_tools", "step_limit"] {
        assert!(text.contains(task) && dot.contains(task), "{text}\n{dot}");
    }
    assert!(dot.starts_with("digraph"), "{dot}");
    let manifest = description.manifest().to_string();
    assert!(manifest.contains("PlanExecute") && manifest.contains("\"tools\""), "{manifest}");
}

#[test]
fn monkeys_find_nothing() {
    let (chain, _) = chain([]);
    let chain = chain.tools(ToolSet::new().tool("double", "Doubles", double)).limits(ChainLimits {
        steps: 5,
        retries: 1,
        ..ChainLimits::default()
    });
    let report = Monkey::<PlanExecute>::with_context(chain.settings(), |_| Context::new("Q"))
        .runs(300)
        .step_invariant("work is kept", |old, new| new.work.starts_with(&old.work))
        .end_invariant("an end says why", |outcome, context| match outcome {
            PlanExecuteOutcome::Done => context.answer.is_some(),
            PlanExecuteOutcome::Unreadable(_) => {
                matches!(context.ending, Some(Ending::Unreadable(_)))
            }
            _ => context.ending.is_none(),
        })
        .run()
        .unwrap();
    for end in ["done", "unreadable", "truncated", "refused"] {
        assert!(report.ended(end) > 0, "{end}: {report}");
    }
    assert!(report.coverage().visits(PlanExecuteTask::StepLimit) > 0, "{report}");
}

#[tokio::test]
async fn a_trace_shows_the_steps_and_the_calls() {
    let recorder = RunRecorder::<PlanExecute>::new("Q");
    let (chain, _) = doubling();
    chain.runner().observe(recorder.observer()).run(Context::new("Q")).await.unwrap();
    let text = recorder.trace().to_string();
    assert_eq!(validate(&parse(&text).unwrap()).errors, []);
    assert!(text.contains("double") && text.contains("21") && text.contains("42"), "{text}");
}

#[tokio::test]
async fn the_trace_of_a_stored_chain_is_whole() {
    let store = MemoryStore::default();
    let (chain, model) = doubling();
    let stuck =
        Tool::new("double", "Doubles", |_: Double| future::pending::<Result<u32, Infallible>>());
    let first =
        chain.clone().tools(ToolSet::new().add(stuck)).configure(stored(store.clone(), "chain"));
    assert_eq!(first.run(&mut Context::new("Twice 21?")).now_or_never(), None);
    chain.configure(stored(store.clone(), "chain")).run(&mut Context::default()).await.unwrap();
    assert_eq!(model.requests().len(), 3);
    let trace = load_trace(&store, &"chain".parse().unwrap()).await.unwrap().unwrap();
    let text = trace.to_string();
    assert_eq!(validate(&parse(&text).unwrap()).errors, []);
    assert!(text.contains("user「Twice 21?」"), "{text}");
    for part in ["answer with one JSON object", "tool ↦ double", "number ↦ 21", "42"] {
        assert!(text.contains(part), "no {part} in {text}");
    }
}

/// The context of a process that answers questions.
struct App {
    chain: ChainOfThought,
}

cot_process! {
    process Desk {
        state: { input question: String, answer: String = String::new() },
        context: App,

        task answer {
            process: PlanExecute with Context::new(state.question.as_str()),
            context: app.chain.settings(),
            update: { answer = output.answer.unwrap_or_default() },
            next: done,
        }

        task done { end }
    }
}

#[tokio::test]
async fn it_is_a_task_of_another_process() {
    let (chain, model) = doubling();
    let runner = Desk::runner(App { chain })
        .engine("plan", Arc::clone(&model))
        .engine("execute", model)
        .person(async |_| cot_core::Approval::approve());
    let tools = Arc::new(std::sync::Mutex::new(Vec::new()));
    let list = Arc::clone(&tools);
    let runner = runner.observe(move |event, _| {
        if let RunEvent::Nested { event, .. } = event
            && let RunEvent::ToolReturned { tool, result, .. } = &**event
        {
            list.lock().unwrap().push((tool.clone(), result.clone()));
        }
    });
    let run = runner.run(DeskState::new("Q".to_owned())).await.unwrap();
    assert_eq!(run.state.answer, "42");
    assert_eq!(*tools.lock().unwrap(), [("double".to_owned(), Ok("42".to_owned()))]);
}
