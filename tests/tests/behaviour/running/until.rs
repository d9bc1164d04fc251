//! Streamed replies that end where their task says.

use std::{
    future::pending,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use cot_core::{
    HaltReason, PanicPlace, RunEvent, RunReport, Usage,
    model::{
        BoxFuture, DeltaSink, FinishReason, LanguageModel, ModelError, ModelReply, ModelRequest,
        ScriptedModel, ToolCall,
    },
    prelude::*,
    replay::{Capture, Replay},
};
use serde::{Deserialize, Serialize};

use crate::storing::ledger::{Fate, Ledger};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Talk {
    end: String,
    said: Vec<String>,
}

/// Counts the watched replies.
#[derive(Debug, Default)]
struct Watched(AtomicUsize);

fn whole(reply: &ModelReply, _: &Talk) -> Result<String, Issues> {
    let calls = reply.tool_calls.iter().map(|call| format!(", {call}"));
    Ok(reply.text.clone() + &calls.collect::<String>())
}

/// Ends a reply with the chunk that completes the end, which it borrows from the state.
fn to_the_end(talk: &Talk, cx: &Cx<'_, Speak>) -> impl FnMut(&str) -> bool + Send {
    cx.app().0.fetch_add(1, Ordering::Relaxed);
    let mut text = String::new();
    move |chunk| {
        assert_ne!(chunk, "panic", "no such word");
        text.push_str(chunk);
        text.ends_with(&talk.end)
    }
}

cot_process! {
    process Speak {
        state: Talk,
        context: Watched,

        task speak -> String {
            read: { reply: whole, until: to_the_end },
            update: said[],
            on: { timeout => late },
            timeout: 5s,
            next: done,
        }

        task late { end }
        task done { end }
    }
}

fn talk() -> Talk {
    Talk { end: "END".to_owned(), ..Talk::default() }
}

/// Streams its chunks, `None` for a restart, and then waits for ever; counts the calls that were dropped.
#[derive(Debug, Default)]
struct Endless {
    chunks: Vec<Option<&'static str>>,
    dropped: Arc<AtomicUsize>,
}

struct CountDrop(Arc<AtomicUsize>);

impl Drop for CountDrop {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl LanguageModel for Endless {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(pending())
    }

    fn stream<'a>(
        &'a self,
        _: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        let guard = CountDrop(Arc::clone(&self.dropped));
        Box::pin(async move {
            let _guard = guard;
            for chunk in &self.chunks {
                match chunk {
                    Some(text) => sink.push(text),
                    None => sink.restart(),
                }
                tokio::task::yield_now().await;
            }
            pending().await
        })
    }
}

/// Streams its reply up to the end as one chunk, and returns it whole without a pause.
#[derive(Debug)]
struct AtOnce(ModelReply);

impl LanguageModel for AtOnce {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(pending())
    }

    fn stream<'a>(
        &'a self,
        _: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        sink.push(self.0.text.trim_end_matches(" b"));
        Box::pin(async { Ok(self.0.clone()) })
    }
}

fn endless(chunks: &[Option<&'static str>]) -> Endless {
    Endless { chunks: chunks.to_vec(), ..Endless::default() }
}

#[tokio::test]
async fn a_reply_ends_with_the_chunk_that_completes_it() {
    let model = endless(&[Some("a "), Some("EN"), Some("D"), Some(" and more")]);
    let dropped = Arc::clone(&model.dropped);
    let told = Arc::new(Mutex::new(String::new()));
    let heard = Arc::clone(&told);
    let runner = Speak::runner(Watched::default()).model(model).token_deltas(true);
    let runner = runner.observe(move |event, _| {
        if let RunEvent::Delta { text: Some(text), .. } = event {
            heard.lock().unwrap().push_str(text);
        }
    });
    let run = runner.run(talk()).await.unwrap();
    assert_eq!((run.state.said, run.outcome), (vec!["a END".to_owned()], SpeakOutcome::Done));
    assert_eq!(run.usage, Usage::uncounted_call());
    assert_eq!(dropped.load(Ordering::Relaxed), 1, "the call is dropped");
    assert_eq!(*told.lock().unwrap(), "a END");
}

#[tokio::test]
async fn a_reply_that_starts_over_is_watched_from_its_start() {
    let watched = Arc::new(Watched::default());
    let model = endless(&[Some("EN"), None, Some("D"), Some(" b"), Some("END")]);
    let run = Speak::runner(Arc::clone(&watched)).model(model).run(talk()).await.unwrap();
    assert_eq!(run.state.said, ["D bEND"]);
    assert_eq!(watched.0.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn a_reply_may_be_complete_before_its_end() {
    for (model, watched) in
        [(ScriptedModel::new(["no end"]).streaming(2), 1), (ScriptedModel::new(["a END b"]), 0)]
    {
        let counted = Arc::new(Watched::default());
        let run = Speak::runner(Arc::clone(&counted)).model(model).run(talk()).await.unwrap();
        assert!(["no end", "a END b"].contains(&&*run.state.said[0]), "{:?}", run.state);
        assert_eq!(counted.0.load(Ordering::Relaxed), watched, "only streams are watched");
    }
}

#[tokio::test(start_paused = true)]
async fn a_reply_without_an_end_runs_out_of_time() {
    let model = endless(&[Some("for ever")]);
    let run = Speak::runner(Watched::default()).model(model).run(talk()).await.unwrap();
    assert_eq!(run.outcome, SpeakOutcome::Late);
}

#[tokio::test]
async fn a_panic_of_the_function_halts_the_run() {
    let model = endless(&[Some("panic")]);
    let dropped = Arc::clone(&model.dropped);
    let run = Speak::runner(Watched::default()).model(model).report(talk()).await.unwrap();
    let SpeakOutcome::Halted(halt) = run.outcome else { panic!("{:?}", run.outcome) };
    let HaltReason::Panicked(panic) = &halt.reason else { panic!("{halt:?}") };
    assert_eq!(panic.place, PanicPlace::Until);
    assert!(panic.message.contains("no such word"), "{panic}");
    assert_eq!(dropped.load(Ordering::Relaxed), 1, "the call is dropped");
}

#[tokio::test]
async fn a_complete_reply_keeps_its_calls_and_a_refusal_stays_one() {
    let reply = || {
        let calls = [ToolCall::new("roll", serde_json::json!({}))];
        ModelReply { text: "a END b".to_owned(), ..ModelReply::calling(calls) }
    };
    let run =
        Speak::runner(Watched::default()).model(AtOnce(reply())).report(talk()).await.unwrap();
    assert_eq!(run.state.said, ["a END, roll({})"]);
    let refusal = ModelReply::new("no END b").finish(FinishReason::Refusal);
    let run =
        Speak::runner(Watched::default()).model(AtOnce(refusal)).report(talk()).await.unwrap();
    let SpeakOutcome::Halted(halt) = run.outcome else { panic!("{:?}", run.outcome) };
    assert_eq!(halt.reason, HaltReason::Refused("no END b".to_owned()));
}

fn said(run: RunReport<Speak>) -> Vec<String> {
    run.state.said
}

#[tokio::test]
async fn a_capture_has_the_reply_up_to_its_end() {
    let (capture, lines) = Capture::to_memory();
    let model = endless(&[Some("a "), Some("END"), Some("b")]);
    let runner = Speak::runner(Watched::default()).model(model).capture(capture.clone());
    assert_eq!(said(runner.run(talk()).await.unwrap()), ["a END"]);
    capture.finish().unwrap();

    let replay = Replay::read(lines.text().as_bytes()).unwrap();
    let watched = Arc::new(Watched::default());
    let runner = Speak::runner(Arc::clone(&watched)).replay(replay);
    assert_eq!(said(runner.run(talk()).await.unwrap()), ["a END"]);
    assert_eq!(watched.0.load(Ordering::Relaxed), 0, "a replay calls no model");
}

#[tokio::test]
async fn a_stored_run_that_is_cut_anywhere_resumes_with_the_reply_up_to_its_end() {
    let run = async |store: &Ledger| {
        let model = endless(&[Some("END"), Some("b")]);
        let runner = Speak::runner(Watched::default()).model(model);
        let runner = runner.store(store.clone()).run_id("talk");
        tokio::select! {
            biased;
            run = runner.run(talk()) => Some(said(run.unwrap())),
            () = store.cut() => None,
        }
    };
    let whole = Ledger::default();
    let expected = run(&whole).await;
    assert_eq!(expected, Some(vec!["END".to_owned()]));
    for append in 0..whole.appends() {
        for fate in [Fate::CutBefore, Fate::CutAfter] {
            let store = Ledger::default();
            store.at(append, fate);
            assert_eq!(run(&store).await, None, "{append} {fate:?}");
            assert_eq!(run(&store).await, expected, "{append} {fate:?}");
        }
    }
}
