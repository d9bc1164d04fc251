//! Large traces.

use std::time::{Duration, Instant};

use cot_core::{
    model::ScriptedModel,
    prelude::*,
    store::MemoryStore,
    task_format::{self, RunRecorder, load_trace},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A text of any length.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Chapter {
    text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Book {
    chapters: usize,
    written: usize,
}

cot_process! {
    /// Writes a long book, chapter after chapter.
    process Writing {
        state: Book,
        history: none,
        max_steps: 100000,

        task write -> Chapter {
            full_prompt: "Write chapter ${state.written}.",
            update: { written = state.written + 1 },
            next: { write if state.written < state.chapters, done },
        }

        task done { end }
    }
}

/// Writes and reads the trace of a run with so many steps of so many bytes. Returns the times and the length.
async fn measure(chapters: usize, bytes: usize) -> (Vec<Duration>, usize) {
    let line = "a \"line\" of 」 text\n";
    let text = line.repeat(bytes / line.len());
    let model = ScriptedModel::from_fn(move |_| json!({ "text": text }));
    let store = MemoryStore::default();
    let recorder = RunRecorder::<Writing>::new("Write");
    let runner = Writing::runner().model(model).store(store.clone()).observe(recorder.observer());
    runner.run_id("book").run(Book { chapters, written: 0 }).await.unwrap();

    let mut times = Vec::new();
    let mut start = Instant::now();
    let mut lap = || times.push(std::mem::replace(&mut start, Instant::now()).elapsed());
    let live = recorder.trace();
    lap();
    let stored = load_trace(&store, &"book".parse().unwrap()).await.unwrap().unwrap();
    lap();
    let text = stored.to_string();
    lap();
    let parsed = task_format::parse(&text).unwrap();
    lap();
    let report = task_format::validate(&parsed);
    lap();
    assert!(report.is_valid() && report.warnings.is_empty());
    assert_eq!(live.blocks.len(), stored.blocks.len());
    assert_eq!(parsed, stored);
    assert_eq!(parsed.todos().len(), chapters);
    assert!(text.len() > chapters * bytes);
    (times, text.len())
}

#[tokio::test]
async fn a_trace_of_megabytes_is_written_and_read() {
    let (_, bytes) = measure(400, 8 << 10).await;
    assert!(bytes > 3 << 20, "{bytes}");
}

/// Prints the times, which grow with the length: `--ignored --nocapture`.
#[tokio::test]
#[ignore = "takes long without optimizations"]
async fn a_trace_of_50_mb_is_written_and_read() {
    for chapters in [1_600, 6_400] {
        let (times, bytes) = measure(chapters, 8 << 10).await;
        let [_, load, write, read, validate] = times[..] else { unreachable!("five laps") };
        println!(
            "{bytes} bytes: load {load:?}, write {write:?}, read {read:?}, validate {validate:?}"
        );
        assert!(bytes > chapters * (8 << 10));
    }
}
