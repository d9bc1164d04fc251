//! Branches in the history of a run, and in the coverage of a process.

use cot_core::{
    BranchOutcome, FunctionError,
    model::{ModelReply, ScriptedModel},
    prelude::*,
    store::{RunHistory, StepHistory},
    testing::Coverage,
};
use serde_json::json;

use super::{
    ledger::Ledger,
    process::{Note, Trip, note},
};

async fn fail(_: &Trip) -> Result<Vec<Note>, FunctionError> {
    Err(FunctionError::new("no flight"))
}

cot_process! {
    process Search {
        state: Trip,
        max_retries: 0,
        parallel search [hotel, flight] => merge { join: settled }
        task hotel -> Note { full_prompt: "hotel", update: left[], next: merge }
        task flight -> Vec<Note> { run: fail, update: right, next: merge }
        task merge -> Note { full_prompt: "merge", update: merged, next: done }
        task done { end }
    }
}

fn runner() -> Runner<Search> {
    Search::runner().model(ScriptedModel::from_fn(|_| ModelReply::from(note("found"))))
}

#[tokio::test]
async fn the_history_of_a_run_says_how_each_branch_ended() {
    let store = Ledger::default();
    runner().store(store.clone()).run_id("trip").report(Trip::new()).await.unwrap();
    let history = RunHistory::load(&store, &"trip".parse().unwrap()).await.unwrap().unwrap();
    let search = &history.steps[0];
    let mut ends: Vec<_> =
        search.branches.iter().map(|it| (it.branch.as_str(), &it.outcome)).collect();
    ends.sort_by_key(|(branch, _)| *branch);
    let [("flight", BranchOutcome::Failed(why)), ("hotel", BranchOutcome::Joined)] = &ends[..]
    else {
        panic!("{ends:?}");
    };
    assert!(why.contains("no flight"), "{why}");
    let text = history.to_string();
    assert!(text.contains("\n    branch hotel joined\n"), "{text}");
    assert!(text.contains("\n    branch flight failed: "), "{text}");
    let stored = serde_json::to_value(search).unwrap();
    assert!(stored["branches"].as_array().unwrap().contains(&json!({
        "branch": "hotel", "outcome": "joined",
    })));
    assert_eq!(&serde_json::from_value::<StepHistory>(stored).unwrap(), search);
}

#[tokio::test]
async fn coverage_counts_the_parallel_task_and_the_tasks_of_its_branches() {
    let coverage = Coverage::<Search>::new();
    runner().observe(coverage.watch()).run(Trip::new()).await.unwrap();
    for task in [SearchTask::Search, SearchTask::Hotel, SearchTask::Flight, SearchTask::Merge] {
        assert_eq!(coverage.visits(task), 1, "{task:?}");
    }
    // The function has failed, so that it has not led to the join.
    assert_eq!(coverage.missing(), ["`flight` never continued with `merge`"]);
}
