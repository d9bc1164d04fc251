//! Traces of generated runs.

use cot_core::{
    TaskId,
    store::{MemoryStore, RunHistory},
    task_format::{RunRecorder, load_trace},
    testing::MonkeyModel,
};
use proptest::{prelude::*, test_runner::TestCaseError};

use crate::traces::{
    lossless::{assert_lossless, assert_sound},
    office::{Desk, Office, OfficeTask, runner},
};

/// Runs with random replies, is killed after some events, and is resumed.
async fn run_twice(seed: u64, killed_after: usize, lines: Vec<String>) {
    let store = MemoryStore::default();
    let model = |seed| MonkeyModel::seeded(seed).naming(OfficeTask::ALL);
    let live = RunRecorder::<Office>::new("Tidy 」 it");
    let started = runner().model(model(seed)).store(store.clone()).run_id("run");
    let mut run = started.start(Desk { lines, ..Desk::default() }).unwrap();
    let mut is_over = true;
    for _ in 0..killed_after {
        is_over = match run.next().await {
            Some(event) => {
                live.record(&event);
                false
            }
            None => true,
        };
    }
    drop(run);
    assert_sound(&live.trace());

    let run = "run".parse().unwrap();
    let Some(history) = RunHistory::load(&store, &run).await.unwrap() else { return };
    let trace = load_trace(&store, &run).await.unwrap().unwrap();
    assert_sound(&trace);
    assert_lossless(&trace, &history);
    let recorder = RunRecorder::<Office>::load(&store, &run).await.unwrap().unwrap();
    assert_sound(&recorder.trace());
    if is_over || history.summary.status.is_ended() {
        return;
    }

    let resumed = runner().model(model(seed + 1)).store(store.clone()).observe(recorder.observer());
    resumed.resume("run").unwrap().finish().report().await.unwrap();
    assert_sound(&recorder.trace());
    assert!(!recorder.trace().to_string().contains("The run is not over."));
    let history = RunHistory::load(&store, &run).await.unwrap().unwrap();
    let trace = load_trace(&store, &run).await.unwrap().unwrap();
    assert_sound(&trace);
    assert_lossless(&trace, &history);
}

/// A sub-process whose first attempt failed asks a person when the run is killed.
#[tokio::test(start_paused = true)]
async fn a_question_in_a_second_attempt_of_a_sub_process_is_planned_once() {
    run_twice(928_032_923, 45, (0..3).map(|line| format!("line {line}")).collect()).await;
}

proptest! {
    #[test]
    fn generated_runs_are_sound_and_lossless(
        seed in any::<u32>(),
        killed_after in prop_oneof![0..60_usize, Just(10_000)],
        lines in prop::collection::vec(".{0,12}", 0..4),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        let runtime = runtime.map_err(|error| TestCaseError::fail(error.to_string()))?;
        runtime.block_on(run_twice(u64::from(seed), killed_after, lines));
    }
}
