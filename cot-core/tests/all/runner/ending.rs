//! Ends of runs.

use std::{
    task::{Context, Poll, Waker},
    time::Duration,
};

use cot_core::{Machine, RunError, Runner};

use crate::runner::{
    models::{Breaking, Silent, Told},
    process::{Hurried, Page, Straight, said},
};

#[tokio::test]
async fn a_run_gives_outcome_state_history_and_usage() {
    let run = Runner::<Straight>::new().model(Told::well()).run(Page::default()).await;
    let run = run.unwrap();
    assert_eq!(said(&run.outcome), "Done");
    assert_eq!(run.state.lines, ["hello", "hello", "hello"]);
    assert_eq!((run.history.len(), run.usage.calls), (3, 3));
    assert!(format!("{run:?}").contains("hello"));
}

#[tokio::test]
async fn one_runner_serves_many_runs_and_its_clones_are_its_own() {
    let runner = Runner::<Straight>::new().model(Told::well());
    let other = runner.clone().model(Told::texts(["{\"text\": \"other\"}"]));
    let (one, two) = tokio::join!(runner.run(Page::default()), other.run(Page::default()));
    assert_eq!(one.unwrap().state.lines[0], "hello");
    assert_eq!(two.unwrap().state.lines[0], "other");
    assert_eq!(runner.run(Page::default()).await.unwrap().state.lines[0], "hello");
}

#[tokio::test]
async fn what_was_committed_survives_a_failing_model() {
    let runner = Runner::<Straight>::new().model(Breaking::after_one());
    let run = runner.report(Page::default()).await.unwrap();
    assert!(said(&run.outcome).contains("Unreachable"), "{:?}", run.outcome);
    assert!(said(&run.outcome).contains("the line is dead"), "{:?}", run.outcome);
    assert_eq!(run.state.lines, ["hello"]);
}

#[tokio::test(start_paused = true)]
async fn without_limits_a_run_waits_and_with_one_the_call_is_dropped() {
    let model = Silent::default();
    let runner = Runner::<Hurried>::new().model(model.clone());
    let hour = Duration::from_secs(3600);
    assert!(tokio::time::timeout(hour, runner.run(Page::default())).await.is_err());
    let run = runner.timeout(hour).report(Page::default()).await.unwrap();
    assert!(said(&run.outcome).contains("RunTimeout(3600s)"), "{:?}", run.outcome);
    assert_eq!(model.in_flight(), 0);
}

#[tokio::test(start_paused = true)]
async fn the_time_limit_of_a_task_holds_for_that_task() {
    let model = Told::well().after(Duration::from_secs(11));
    let began = tokio::time::Instant::now();
    let runner = Runner::<Hurried>::new().model(model);
    let run = runner.report(Page::default()).await.unwrap();
    assert!(said(&run.outcome).contains("TaskTimeout(10s)"), "{:?}", run.outcome);
    assert_eq!((run.state.lines.len(), began.elapsed()), (1, Duration::from_secs(21)));
}

#[tokio::test(start_paused = true)]
async fn the_time_limit_of_a_run_counts_all_its_calls() {
    let model = Told::well().after(Duration::from_secs(20));
    let began = tokio::time::Instant::now();
    let runner = Runner::<Straight>::new().model(model).timeout(Duration::from_secs(50));
    let run = runner.report(Page::default()).await.unwrap();
    assert!(said(&run.outcome).contains("RunTimeout(50s)"), "{:?}", run.outcome);
    assert_eq!((run.state.lines.len(), began.elapsed()), (2, Duration::from_secs(50)));
}

#[tokio::test]
async fn a_limit_of_steps_and_a_goal_reach_the_machine() {
    let runner = Runner::<Straight>::new().model(Told::well()).max_steps(2).goal("write");
    let active = runner.start(Page::default()).unwrap();
    assert_eq!(active.machine().goal(), "write");
    let run = active.finish().report().await.unwrap();
    assert!(said(&run.outcome).contains("MaxSteps(2)"), "{:?}", run.outcome);
    assert_eq!(run.state.lines.len(), 2);
}

#[test]
fn without_time_limits_any_executor_will_do() {
    let runner = Runner::<Straight>::new().model(Told::well());
    let mut run = std::pin::pin!(runner.run(Page::default()));
    let mut context = Context::from_waker(Waker::noop());
    let Poll::Ready(run) = run.as_mut().poll(&mut context) else { panic!("nothing to wait for") };
    assert_eq!(run.unwrap().state.lines.len(), 3);
}

#[tokio::test]
async fn a_machine_that_was_begun_elsewhere_goes_on() {
    let mut machine = Machine::<Straight>::new();
    let runner = Runner::new().model(Told::well());
    assert!(matches!(runner.run_machine(Machine::new()).await, Err(RunError::NotStarted)));
    assert!(matches!(runner.start_machine(Machine::new()), Err(RunError::NotStarted)));
    machine.start(Page { lines: vec!["before".into()] }).unwrap();
    let run = runner.run_machine(machine).await.unwrap();
    assert_eq!(run.state.lines.len(), 4);
}
