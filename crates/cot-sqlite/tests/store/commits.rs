//! The number of commits of a run, counted in the write-ahead log: each commit ends with a marked
//! frame.

use std::fs;

use cot_core::model::ScriptedModel;
use cot_sqlite::{SqliteOptions, SqliteStore, Synchronous};
use serde_json::json;

use crate::{
    driving::{Counter, Tally},
    kit::Place,
};

/// Counts the commits of all connections since the log began.
fn commits(place: &Place) -> usize {
    let log = fs::read(place.path.with_extension("db-wal")).unwrap();
    let word = |at: usize| u32::from_be_bytes(log[at..at + 4].try_into().unwrap());
    let (page_size, salts) = (word(8) as usize, (word(16), word(20)));
    let frames = (32..log.len()).step_by(page_size + 24);
    frames.filter(|at| (word(at + 8), word(at + 12)) == salts && word(at + 4) > 0).count()
}

/// Counts the commits of a run with this many steps whose model replies at once.
async fn commits_of(options: &SqliteOptions, steps: usize) -> usize {
    let place = Place::new();
    let store = options.open(&place.path).unwrap();
    // Keeps the log when the store is closed.
    let other = place.sql();
    other.query_row("SELECT COUNT(*) FROM runs", [], |_| Ok(())).unwrap();
    let before = commits(&place);

    let model = ScriptedModel::new(vec![json!({ "number": 1 }); steps]);
    let runner = Counter::runner().model(model).store(store);
    let state = Tally { counted: vec![0; 4 - steps] };
    assert_eq!(runner.run(state).await.unwrap().state.counted.len(), 4);
    // Waits until the lease is released.
    drop(runner);
    commits(&place) - before
}

#[tokio::test]
async fn a_step_is_one_commit() {
    for synchronous in [Synchronous::Full, Synchronous::Normal] {
        for options in [SqliteStore::options(), SqliteStore::options().block_in_place()] {
            let options = options.synchronous(synchronous);
            // The description of the process, the beginning, the end and the lease have the same cost for all.
            let [one, two, four] = [
                commits_of(&options, 1).await,
                commits_of(&options, 2).await,
                commits_of(&options, 4).await,
            ];
            assert_eq!((two, four), (one + 1, one + 3), "{options:?}");
            assert_eq!(one, 6, "lease, description, beginning, step, end, lease: {options:?}");
        }
    }
}
