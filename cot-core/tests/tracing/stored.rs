//! The spans of stored runs: commits, runs that are resumed elsewhere, and workers.

use cot_core::{
    model::ScriptedModel,
    prelude::*,
    store::{MemoryStore, Record, Store},
    trace::TraceContext,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::recorder::{Checker, Recorder, alone};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Text {
    text: String,
}

cot_process! {
    process Letter {
        state: Text,
        task write -> Text { prompt: "Write.", update: { text = output.text }, next: approve }
        task approve -> Text { ask: "Well?", update: { text = output.text }, next: polish }
        task polish -> Text { prompt: "Polish.", update: { text = output.text }, next: done }
        task done { end }
    }
}

const CALLER: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

#[tokio::test]
async fn a_parked_run_ends_its_spans_and_a_resumed_one_says_so() {
    let _alone = alone();
    let (recorder, _guard) = Recorder::install();
    let (store, checker) = (MemoryStore::default(), Checker::default());
    let model = ScriptedModel::new([json!({ "text": "a" }), json!({ "text": "b" })]);
    let runner = Letter::runner().model(model).instrument(checker.clone());
    let caller: TraceContext = CALLER.parse().unwrap();
    let submitter =
        runner.clone().store(store.clone()).run_id("letter").trace_context(caller.clone());
    submitter.submit(&Text::default()).await.unwrap();
    runner.worker(store.clone()).run_until_idle().await.unwrap();
    let first = recorder.paths();
    for path in ["run/commit", "run/task:write/attempt:1/call:model:write#1@1", "run/task:approve"]
    {
        assert!(first.contains(&path.to_owned()), "{path} is not in {first:?}");
    }
    assert_eq!(recorder.place_of("run parked in its store"), "run");
    assert_eq!(recorder.place_of("waits for a person"), "run/task:approve");
    // The trace of the run is stored with it.
    let run = "letter".parse().unwrap();
    let begun =
        store.entries(&run, 0, 2).await.unwrap().into_iter().find_map(|entry| {
            if let Record::Begun(begun) = entry.record { begun.trace } else { None }
        });
    assert_eq!(begun, Some(caller));
    checker.finish();

    let (recorder, _guard) = Recorder::install();
    let summary = store.run(&run).await.unwrap().unwrap();
    let cot_core::store::Status::Asking { key, .. } = summary.status else { panic!("it asks") };
    store.put_answer(&run, &key, json!({ "text": "fine" })).await.unwrap();
    runner.worker(store.clone()).run_until_idle().await.unwrap();
    let second = recorder.paths();
    assert!(second.contains(&"run/task:polish/attempt:1/call:model:polish#1@1".to_owned()));
    assert!(!second.contains(&"run/task:write".to_owned()));
    let seen = recorder.seen();
    let run = seen.spans.values().find(|span| span.name == "run").unwrap();
    assert_eq!((&*run.fields["resumed"], &*run.fields["end"]), ("true", "end"));
    assert_eq!(run.fields["trace"], "0af7651916cd43dd8448eb211c80319c");
    let log = checker.finish();
    assert!(log.contains(&"run, resumed: true".to_owned()), "{log:#?}");
}
