//! The journal entries of a resumption.

use cot_core::{
    LanguageModel, Process, ResumeOptions, Runner,
    model::{BoxFuture, ModelError, ModelReply, ModelRequest, ScriptedModel},
    store::{DueFilter, Entry, MemoryStore, RunId, Status, Store},
};
use futures_util::FutureExt;
use serde_json::json;

use crate::store::process::Draft;

mod before {
    use cot_core::cot_process;

    use crate::store::process::{Approval, Draft, Text};

    cot_process! {
        pub process Poem {
            state: Draft,
            task write -> Text { prompt: "A poem.", update: { text = output.text }, next: approve }
            task approve -> Approval { ask: "Is it good?", next: done }
            task done { end }
        }
    }
}

mod after {
    use cot_core::cot_process;

    use crate::store::process::{Approval, Draft, Text};

    cot_process! {
        pub process Poem {
            state: Draft,

            task write -> Text {
                prompt: "A long poem.",
                update: { text = output.text },
                next: approve,
            }

            task approve -> Approval { ask: "Is it good?", next: done }
            task done { end }
        }
    }
}

/// Never replies.
struct Silent;

impl LanguageModel for Silent {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(std::future::pending())
    }
}

fn poem() -> RunId {
    "poem".parse().unwrap()
}

async fn entries(store: &MemoryStore) -> Vec<Entry> {
    store.entries(&poem(), 0, usize::MAX).await.unwrap()
}

/// Runs until it waits, and is dropped.
async fn drive_a_while<P: Process<Context = (), State = Draft>>(runner: Runner<P>) {
    let run = runner.run_id("poem").start(Draft::default()).unwrap().finish();
    assert!(run.now_or_never().is_none());
}

fn runner<P: Process<Context = ()>>(store: &MemoryStore) -> Runner<P> {
    Runner::new()
        .model(ScriptedModel::new([json!({ "text": "Roses are red" })]))
        .store(store.clone())
}

#[tokio::test]
async fn who_goes_on_unchanged_writes_nothing() {
    let store = MemoryStore::default();
    drive_a_while(runner::<before::Poem>(&store)).await;
    let written = entries(&store).await.len();
    drive_a_while(runner::<before::Poem>(&store)).await;
    assert_eq!(entries(&store).await.len(), written);
}

#[tokio::test]
async fn changed_prompts_are_accepted_once() {
    let store = MemoryStore::default();
    drive_a_while(runner::<before::Poem>(&store)).await;
    let options = ResumeOptions::new().accept_changed_prompts();
    drive_a_while(runner::<after::Poem>(&store).resume_options(options)).await;

    let Status::Asking { key, .. } = store.run(&poem()).await.unwrap().unwrap().status else {
        panic!("a person is asked");
    };
    store.put_answer(&poem(), &key, json!({ "is_good": true })).await.unwrap();
    let run = runner::<after::Poem>(&store).resume("poem").unwrap().await.unwrap();
    assert_eq!(run.state.text, "Roses are red");
}

#[tokio::test]
async fn a_halted_run_that_goes_on_is_not_halted_any_more() {
    let store = MemoryStore::default();
    let broken = || ScriptedModel::from_fn(|_| "no JSON");
    let halted = runner::<before::Poem>(&store).model(broken()).run_id("poem");
    halted.report(Draft::default()).await.unwrap();
    assert!(store.run(&poem()).await.unwrap().unwrap().status.is_ended());

    let options = ResumeOptions::new().retry_halted();
    drive_a_while(runner::<before::Poem>(&store).model(Silent).resume_options(options)).await;
    let status = store.run(&poem()).await.unwrap().unwrap().status;
    assert_eq!(status, Status::Running { task: "write".to_owned() });
    let now = std::time::SystemTime::now();
    let filter = DueFilter::new(vec!["Poem".to_owned()], now, 10);
    assert_eq!(store.due(&filter).await.unwrap().len(), 1, "a worker would continue it");
}
