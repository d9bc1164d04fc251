//! Stored rounds of models and of items, whose tools are gone when the run resumes.

use std::{sync::Arc, time::Duration};

use cot_core::{
    Process, RunReport, Runner,
    model::{ModelReply, ScriptedModel, ToolCall},
    prelude::*,
};
use serde_json::json;

use super::desk::{App, Desk, Drawers, Letter, Papers, burn, papers, read_call};
use crate::storing::ledger::{Fate, Ledger};

cot_process! {
    process Clerk {
        state: { answer: String = String::new() },
        context: App,
        tools: { burn: burn "Burns a letter", drawers: source app.drawers { only: all } },

        task ask -> Letter {
            prompt: "Tidy up.",
            tools: [burn, drawers],
            update: { answer = output.text },
            next: done,
        }

        task done { end }
    }
}

cot_process! {
    pub(super) process Desks {
        state: { input desks: Vec<Papers>, tidied: Vec<Papers> = vec![] },
        context: App,

        task all {
            for_each: papers in state.desks,
            max_concurrency: 2,
            process: Desk with papers.clone(),
            update: { tidied = output },
            next: done,
        }

        task done { end }
    }
}

fn drawer_call() -> ToolCall {
    ToolCall::new("open_drawer", json!({}))
}

fn burn_call(text: &str) -> ToolCall {
    ToolCall::new("burn", json!({ "text": text }))
}

/// A model that makes two rounds of calls.
fn model() -> ScriptedModel {
    ScriptedModel::from_fn(|request| match request.rounds.len() {
        0 => ModelReply::calling([drawer_call(), burn_call("a"), drawer_call(), burn_call("b")]),
        1 => ModelReply::calling([drawer_call(), burn_call("c")]),
        _ => json!({ "text": "tidy" }).into(),
    })
}

/// Kills a run at an append, and resumes it in a program without drawers.
async fn survived<P: Process<Context = App>>(
    runner: fn(Arc<App>) -> Runner<P>,
    state: P::State,
    append: usize,
    fate: Fate,
) -> RunReport<P> {
    let store = Ledger::default();
    store.at(append, fate);
    let begin = |app: App| runner(Arc::new(app)).store(store.clone()).run_id("run");
    let (run, first) = (begin(App::default()), state.clone());
    let began = tokio::spawn(async move { run.report(first).await.map(drop) });
    tokio::select! {
        () = store.cut() => began.abort(),
        // The run made fewer writes.
        () = tokio::time::sleep(Duration::from_millis(200)) => {}
    }
    let _ = began.await;
    store.mend();
    let next = begin(App { drawers: Drawers::new(Vec::new()), ..App::default() });
    next.report(state).await.unwrap_or_else(|error| panic!("{append} {fate:?}: {error}"))
}

#[tokio::test(start_paused = true)]
async fn a_model_gets_the_results_that_are_there_wherever_the_program_dies() {
    for fate in [Fate::CutBefore, Fate::CutAfter] {
        for append in 0..12 {
            let runner = |app: Arc<App>| Clerk::runner(app).model(model());
            let run = survived::<Clerk>(runner, ClerkState::new(), append, fate).await;
            assert_eq!(run.outcome, ClerkOutcome::Done, "{append} {fate:?}");
            assert_eq!(run.state.answer, "tidy");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_items_that_call_keep_what_was_answered_wherever_the_program_dies() {
    let desks = [["a", "bb"], ["ccc", "dddd"]].map(|[one, other]| {
        papers([drawer_call(), read_call(one), drawer_call(), read_call(other)])
    });
    for fate in [Fate::CutBefore, Fate::CutAfter] {
        for append in 0..12 {
            let state = DesksState::new(desks.to_vec());
            let run = survived::<Desks>(Desks::runner, state, append, fate).await;
            assert_eq!(run.outcome, DesksOutcome::Done, "{append} {fate:?}");
            for (papers, lengths) in run.state.tidied.iter().zip([["1", "2"], ["3", "4"]]) {
                let read = papers.rounds[0].iter().filter(|(call, _)| call.name == "read");
                let read: Vec<_> = read.map(|(_, result)| &*result.text).collect();
                assert_eq!(read, lengths, "{append} {fate:?}");
            }
        }
    }
}
