//! One task, run alone.

use cot_core::{Failure, Inputs, RunError, StartError, TaskEnd, model::ScriptedModel, prelude::*};
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
    assert!(matches!(error, RunError::MissingModelsError(_)), "{error}");
    assert_eq!(model.calls.all(), 0);
}

cot_process! {
    process Split {
        state: Plan,
        model: "whole",

        task small -> Note { model: "small", update: { texts[] = output.text }, next: large }

        task large -> Note {
            model: "large",
            mock: made_up,
            update: { texts[] = output.text },
            next: inner,
        }

        task inner { process: Lone with Plan::default(), next: done }
        task done { end }
    }
}

fn made_up(_: &Plan) -> Note {
    Note { text: "made up".into(), ..Note::default() }
}

#[tokio::test]
async fn only_what_the_task_itself_needs_has_to_be_there() {
    let small = Split::runner().engine("small", Asked::always(note("a")));
    assert!(matches!(small.run(Plan::default()).await, Err(RunError::MissingModelsError(_))));
    let run = small.run_task(SplitTask::Small, Plan::default()).await.unwrap();
    assert_eq!(run.state.texts, ["a"]);
    let error = small.run_task(SplitTask::Large, Plan::default()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "no model for engine `large`, needed by `large`; registered: `small`"
    );
    // A process that it runs is all its own.
    let error = small.run_task(SplitTask::Inner, Plan::default()).await.unwrap_err();
    assert!(error.to_string().contains("no default model, needed by `hub`, `topic`"), "{error}");

    let mocked = Split::runner().mock_mode(true);
    assert!(matches!(mocked.run(Plan::default()).await, Err(RunError::Start(_))));
    let run = mocked.run_task(SplitTask::Large, Plan::default()).await.unwrap();
    assert_eq!(run.state.texts, ["made up"]);
    let error = mocked.run_task(SplitTask::Small, Plan::default()).await.unwrap_err();
    let RunError::Start(StartError::NoMock { tasks }) = error else { panic!("{error}") };
    assert_eq!(tasks, ["small"]);
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
    let run = runner.run_task(LoneTask::Hub, Plan::default()).report().await.unwrap();
    let halt = run.halt().unwrap();
    assert_eq!((halt.task, halt.attempts.len(), run.attempts.len()), (LoneTask::Hub, 3, 3));
}
