//! One task, run alone.

use cot_core::{Failure, Inputs, RunError, TaskEnd, model::ScriptedModel, prelude::*};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    Asked, note,
    people::{Approve, ApproveTask, Desk, yes},
    shown,
};
use crate::drive::{Note, go};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Plan {
    texts: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Topic {
    name: String,
}

cot_process! {
    pub(crate) process Lone {
        state: Plan,

        task hub { transitions: { topic with Topic { name: "tides".into() }, leave } }
        task topic -> Note {
            inputs: Topic,
            prompt: "About ${inputs.name}",
            update: { texts[] = format!("{}: {}", inputs.name, output.text) },
            next: leave,
        }
        task leave { run: nothing, next: done }
        task done { end }
    }
}

async fn nothing(_: &Plan) -> Result<(), std::convert::Infallible> {
    Ok(())
}

#[tokio::test]
async fn a_task_is_run_with_its_retries_and_commits() {
    let runner = Lone::runner().model(ScriptedModel::new(["no JSON".into(), note("a")]));
    let topic = Inputs::new(Topic { name: "moon".into() });
    let run = runner.run_task_with(LoneTask::Topic, topic, Plan::default()).await.unwrap();
    assert_eq!(run.state.texts, ["moon: a"]);
    assert!(matches!(run.end, TaskEnd::Done { next: Some(LoneTask::Leave), .. }), "{run:?}");
    assert_eq!((run.attempts.len(), run.usage.calls), (1, 2));
    assert_eq!(run.attempts[0].failure, Failure::Rejected);
}

#[tokio::test]
async fn a_task_that_chooses_says_where_it_would_go() {
    let runner = Lone::runner().model(Asked::always(go("leave")));
    let run = runner.run_task(LoneTask::Hub, Plan::default()).await.unwrap();
    let TaskEnd::Went { go_to: LoneTask::Leave, intent, .. } = &run.end else { panic!("{run:?}") };
    assert_eq!(intent, "try it");

    let run = runner.run_task(LoneTask::Leave, Plan::default()).await.unwrap();
    let end: TaskEnd<Lone> = TaskEnd::Done { output: None, next: Some(LoneTask::Done) };
    assert_eq!(shown(&run.end), shown(&end));
}

#[tokio::test]
async fn what_a_task_needs_is_missed_before_any_call() {
    let model = Asked::always(note("a"));
    let runner = Lone::runner().model(model.clone());
    let error = runner.run_task(LoneTask::Topic, Plan::default()).await.unwrap_err();
    assert!(matches!(error, RunError::Start(_)), "{error}");
    let error = Lone::runner().run_task(LoneTask::Hub, Plan::default()).await.unwrap_err();
    assert!(matches!(error, RunError::MissingModels(_)), "{error}");
    assert_eq!(model.calls.all(), 0);
}

#[tokio::test]
async fn a_task_that_asks_people_needs_one() {
    let runner = Approve::runner().model(Asked::always(note("a")));
    let error = runner.run_task(ApproveTask::Ask, Desk::default()).await.unwrap_err();
    assert!(matches!(&error, RunError::NobodyAnswers { tasks } if *tasks == ["ask"]), "{error}");
    // What other tasks need does not matter.
    let run = runner.run_task(ApproveTask::Draft, Desk::default()).await.unwrap();
    assert_eq!(run.state.note, "a");
    let runner = runner.person(async |_| yes());
    let run = runner.run_task(ApproveTask::Ask, Desk::default()).await.unwrap();
    assert_eq!(run.state.decisions.len(), 1);
}

#[tokio::test]
async fn a_task_that_fails_has_a_halt_and_takes_no_route() {
    let runner = Lone::runner().model(Asked::always(json!("nonsense")));
    let run = runner.run_task(LoneTask::Hub, Plan::default()).await.unwrap();
    let halt = run.halt().unwrap();
    assert_eq!((halt.task, halt.attempts.len(), run.attempts.len()), (LoneTask::Hub, 3, 3));
}
