//! Windows of a history have the steps of the whole history.
#![expect(clippy::expect_used, reason = "helpers of tests fail like tests")]

use cot_core::{
    CotOutput, cot_process,
    model::ScriptedModel,
    store::{HistoryWindow, MemoryStore, RunHistory, RunId, StoreError},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Tally {
    count: u32,
    note: String,
}

/// The output.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
pub struct Said {
    text: String,
}

cot_process! {
    /// Counts.
    pub process Counting {
        state: Tally,
        max_steps: 10_000,

        task count -> Said {
            prompt: "Count on from ${state.count}.",
            update: { count = state.count + 1, note = output.text },
            next: { done if state.count >= 120, count },
        }

        task done { end }
    }
}

/// Makes a run of 120 steps, every third with a retry.
async fn counted(store: &MemoryStore) -> RunId {
    let replies = (0..120).flat_map(|number| {
        let good = format!(r#"{{"text":"{number}"}}"#);
        if number % 3 == 0 { vec!["Hm.".to_owned(), good] } else { vec![good] }
    });
    let model = ScriptedModel::new(replies.collect::<Vec<_>>());
    let runner = Counting::runner().model(model).store(store.clone()).run_id("count");
    runner.run(Tally::default()).await.expect("a run");
    "count".parse().expect("a name")
}

#[tokio::test]
async fn each_window_has_the_steps_of_the_whole_history() {
    let store = MemoryStore::default();
    let run = counted(&store).await;
    let whole = RunHistory::load(&store, &run).await.unwrap().unwrap();
    assert_eq!(whole.steps.len(), 120);
    for (first, last) in [(1, 120), (1, 1), (2, 2), (40, 60), (119, 120), (71, 500)] {
        let window = HistoryWindow::load(&store, &run, first..=last).await.unwrap();
        assert!(window.error.is_none(), "{:?}", window.error);
        let from = usize::try_from(first - 1).unwrap();
        let to = usize::try_from(last).unwrap().min(120);
        for (found, expected) in window.steps.iter().zip(&whole.steps[from..to]) {
            assert_eq!(found, expected, "{first}..={last}");
        }
        assert_eq!(window.steps.len(), to - from, "{first}..={last}");
    }
}

#[tokio::test]
async fn a_run_that_does_not_exist_has_no_window() {
    let unknown = "nothing".parse().unwrap();
    let error = HistoryWindow::load(&MemoryStore::default(), &unknown, 1..=2).await.unwrap_err();
    assert!(matches!(error, StoreError::UnknownRun { .. }), "{error}");
}
