//! Many runs at once, of a process with a task of every kind.

use std::{convert::Infallible, time::Duration};

use cot_core::{
    ActiveRun, LanguageModel, Machine, RunFuture, RunHandle, TaskRun, model::ModelExt, prelude::*,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::{
    Asked,
    each::{List, Read, echo},
    note, shown,
};
use crate::drive::{Note, go};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Town {
    items: Vec<u32>,
    notes: Vec<Note>,
    answers: Vec<Note>,
}

cot_process! {
    pub(crate) process All {
        state: Town,

        task hub { transitions: { load, leave if !state.answers.is_empty() } }
        task load -> Vec<u32> { run: load, update: { items = output }, next: gate }
        task gate { next: { read if !state.items.is_empty(), leave } }

        task read -> Note {
            for_each: item in state.items,
            max_concurrency: 3,
            full_prompt: "${item}",
            update: { notes = output },
            next: within,
        }

        task within { process: Read with List::new(4), next: ask }
        task ask -> Note { ask: "Well?", wait: 1h, update: { answers[] = output }, next: hub }
        task leave { end }
    }
}

async fn load(_: &Town) -> Result<Vec<u32>, Infallible> {
    sleep(Duration::from_millis(20)).await;
    Ok((0..6).collect())
}

fn model() -> Asked {
    let numbers = echo();
    Asked::new(move |prompt: String| {
        let numbers = numbers.clone();
        async move {
            if prompt.contains("goTo") {
                let target = if prompt.contains("\"leave\"") || prompt.contains("`leave`") {
                    "leave"
                } else {
                    "load"
                };
                return Ok(go(target).into());
            }
            let request = cot_core::model::ModelRequest::new(prompt);
            LanguageModel::reply(&numbers, &request).await
        }
    })
}

async fn answer(_: std::sync::Arc<cot_core::Question>) -> Value {
    sleep(Duration::from_secs(60)).await;
    json!(note("yes"))
}

async fn a_thousand(runner: Runner<All>) {
    let runs: Vec<_> = (0..1000).map(|_| tokio::spawn(runner.run(Town::default()))).collect();
    for run in runs {
        let run = run.await.unwrap().unwrap();
        assert_eq!(shown(&run.outcome), "Leave");
        assert_eq!((run.state.notes.len(), run.state.answers.len()), (6, 1));
    }
}

#[tokio::test(start_paused = true)]
async fn a_thousand_runs_of_all_kinds_take_as_long_as_one() {
    let (one, many) = (model(), model());
    let began = Instant::now();
    All::runner().model(one.clone()).person(answer).run(Town::default()).await.unwrap();
    let alone = began.elapsed();
    let began = Instant::now();
    a_thousand(All::runner().model(many.clone()).person(answer)).await;
    // Tokio's timers are a millisecond apart.
    assert!(began.elapsed() < alone + Duration::from_millis(50), "{:?} {alone:?}", began.elapsed());
    assert_eq!((many.calls.all(), many.calls.now()), (1000 * one.calls.all(), 0));
}

#[tokio::test(start_paused = true)]
async fn a_thousand_runs_share_what_a_model_can_take() {
    let model = model();
    a_thousand(All::runner().model(model.clone().limited(50)).person(answer)).await;
    assert_eq!((model.calls.most(), model.calls.now()), (50, 0));
}

#[test]
fn all_that_runs_can_be_sent_and_is_small() {
    fn sent<T: Send>(_: &T) {}
    fn sendable<T: Send + 'static>() {}
    fn shared<T: Send + Sync + Clone + 'static>() {}
    sendable::<ActiveRun<All>>();
    sendable::<RunFuture<All>>();
    sendable::<TaskRun<All>>();
    shared::<Runner<All>>();
    shared::<RunHandle>();

    let runner = All::runner().model(model()).person(answer);
    let mut active = runner.start(Town::default()).unwrap();
    let handle = active.handle();
    sent(&handle.answer("no"));
    sent(&active.step());
    sent(&active.next());
    sent(&runner.run_task(AllTask::Hub, Town::default()));
    let run = runner.run(Town::default());
    let (size, machine) = (size_of_val(&run), size_of::<Machine<All>>());
    // The call in flight is among it, without a box of its own.
    assert!(size <= machine + 240, "{size} bytes, of which the machine has {machine}");
}
