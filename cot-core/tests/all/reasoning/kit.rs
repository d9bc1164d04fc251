//! The process of a question with the test kit, in descriptions, and as a task of another process.

use std::sync::Arc;

use cot_core::{
    Description, HaltReason, ResumeOptions, RunEvent,
    model::{FinishReason, ModelReply, ScriptedModel},
    prelude::*,
    reasoning::{Machine, Reason, ReasonOutcome, ReasonTask, Status, Step},
    testing::{Coverage, Monkey, MonkeyModel},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const REPLY: &str = "Step 1: It rains.\nStep 2: We would get wet.\nSo: stay in.";

#[test]
fn a_monkey_ends_questions_in_all_ways() {
    let report = Monkey::<Reason>::new(|| Machine::asking("2 + 2?"))
        .seed(7)
        .runs(200)
        .invariant("the question stays", |machine| machine.prompt.as_deref() == Some("2 + 2?"))
        .invariant("an answer completes it", |machine| {
            machine.raw_response.as_deref().is_some() == (machine.status == Status::Completed)
        })
        .run()
        .unwrap();
    for end in ["done", "halted: refused", "halted: unreachable"] {
        assert!(report.ended(end) > 0, "no {end} in {report}");
    }
    assert_eq!(report.coverage().missing(), [""; 0], "{report}");
}

#[tokio::test]
async fn coverage_counts_questions() {
    let coverage = Coverage::<Reason>::new();
    for seed in 0..20 {
        let runner = Reason::runner().model(MonkeyModel::seeded(seed)).observe(coverage.watch());
        runner.run(Machine::asking("2 + 2?")).await.unwrap();
    }
    assert_eq!(coverage.visits(ReasonTask::Reason), 20);
    assert_eq!(coverage.share(), 1.0, "{coverage}");
}

#[test]
fn the_process_is_described_and_drawn() {
    let description = Description::new::<Reason>();
    let text = description.text();
    assert!(text.contains("Thinks about the question step by step."), "{text}");
    assert!(text.contains("`read_answer`"), "{text}");
    let dot = description.dot();
    assert!(dot.starts_with("digraph") && dot.contains("reason"), "{dot}");
    assert!(description.manifest().to_string().contains("\"Reason\""));
}

/// A structured answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Plan {
    goes_out: bool,
}

/// A question with its answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Outing {
    wish: String,
    steps: Vec<Step>,
    plan: Option<Plan>,
}

cot_process! {
    /// Lets another process think before it answers.
    process Decide {
        state: Outing,

        task think {
            process: Reason with Machine::asking(&state.wish),
            update: { steps = output.steps.to_vec() },
            on: { exhausted => undecided },
            next: answer,
        }

        task answer -> Plan {
            prompt: "Thoughts: ${json(state.steps)}",
            update: { plan = Some(output) },
            next: done,
        }

        task undecided { fail: "no thought" }
        task done { end }
    }
}

fn outing() -> Outing {
    Outing { wish: "Shall we go out?".to_owned(), ..Outing::default() }
}

#[tokio::test]
async fn a_question_is_a_task_of_another_process() {
    let model = Arc::new(ScriptedModel::new([REPLY, r#"{ "goes_out": false }"#]));
    let run = Decide::runner().model(Arc::clone(&model)).run(outing()).await.unwrap();
    assert_eq!(run.outcome, DecideOutcome::Done);
    assert_eq!(run.state.steps[1].content, "We would get wet.");
    assert_eq!(run.state.plan, Some(Plan { goes_out: false }));
    assert_eq!((model.requests()[0].prompt(), run.usage.calls), ("Shall we go out?", 2));
    assert!(model.requests()[1].prompt().contains("It rains."));
}

#[tokio::test]
async fn a_question_in_a_snapshot_is_asked_again() {
    let model = Arc::new(ScriptedModel::new([REPLY, r#"{ "goes_out": false }"#]));
    let runner = Decide::runner().model(Arc::clone(&model));
    let mut run = runner.start(outing()).unwrap();
    while !matches!(run.next().await, Some(RunEvent::Nested { .. })) {}
    let json = serde_json::to_string(&run.snapshot().unwrap()).unwrap();
    drop(run);
    let model = Arc::new(ScriptedModel::new([REPLY, r#"{ "goes_out": true }"#]));
    let snapshot = serde_json::from_str(&json).unwrap();
    let machine = cot_core::Machine::resume(snapshot, ResumeOptions::default()).unwrap();
    let run = Decide::runner().model(Arc::clone(&model)).run_machine(machine).await.unwrap();
    assert_eq!((run.outcome, run.state.steps.len()), (DecideOutcome::Done, 2));
    assert_eq!(model.requests()[0].prompt(), "Shall we go out?");
}

#[tokio::test]
async fn a_refusal_takes_the_route_of_the_outer_task() {
    let refusal = ModelReply::new("No.").finish(FinishReason::Refusal);
    let model = ScriptedModel::new([refusal.clone()]);
    let run = Decide::runner().model(model).report(outing()).await.unwrap();
    assert_eq!(run.outcome, DecideOutcome::Undecided("no thought".to_owned()));
    assert_eq!(run.state, outing());

    let run = Reason::runner().model(ScriptedModel::new([refusal]));
    let run = run.report(Machine::asking("2 + 2?")).await.unwrap();
    let ReasonOutcome::Halted(halt) = run.outcome else { panic!("{:?}", run.outcome) };
    assert_eq!(halt.reason, HaltReason::Refused("No.".to_owned()));
    assert_eq!(run.state, Machine::asking("2 + 2?"));
}
