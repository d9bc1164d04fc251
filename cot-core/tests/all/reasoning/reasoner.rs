//! The reasoner: limits, stores, captures and traces of its runs.

use std::{error::Error as _, future::pending, sync::Arc, time::Duration};

use cot_core::{
    Budget, Ending, HaltReason, LanguageModel, RunError, RunEvent, Usage,
    model::{
        BoxFuture, DeltaSink, FinishReason, ModelError, ModelErrorKind, ModelReply, ModelRequest,
        ScriptedModel,
    },
    reasoning::{
        MAX_REPLY_BYTES, Machine, Message, Reason, ReasonTask, Reasoner, ReasoningEvent, Status,
        TerminationReason, default_system_prompt,
    },
    replay::Capture,
    store::{EndKind, MemoryStore, RunFilter, Status as RunStatus, Store},
    task_format::{self, RunRecorder, load_trace},
};
use futures_util::StreamExt;

const REPLY: &str = "Step 1: 2 + 2 is 4.\nAnswer: 4";

/// Streams the beginning of a reply, and then nothing.
struct Hanging;

impl LanguageModel for Hanging {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(pending())
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        sink.push("Step 1: ");
        self.reply(request)
    }
}

/// Streams a reply without end.
struct Endless;

impl LanguageModel for Endless {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async { Ok("1. é\n".repeat(MAX_REPLY_BYTES / 4).into()) })
    }

    fn stream<'a>(
        &'a self,
        _: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async {
            let chunk = "1. é\n".repeat(1_000);
            loop {
                sink.push(&chunk);
                tokio::task::yield_now().await;
            }
        })
    }
}

/// A model that is never called.
fn unused() -> ScriptedModel {
    ScriptedModel::from_fn(|_| -> &str { unreachable!() })
}

#[tokio::test(start_paused = true)]
async fn a_time_limit_ends_a_question_with_what_has_arrived() {
    let mut reasoning = Reasoner::new(Hanging)
        .configure(|runner| runner.timeout(Duration::from_secs(5)))
        .start("2 + 2?");
    let mut last = None;
    while let Some(event) = reasoning.next().await {
        last = Some(event);
    }
    assert_eq!(last, Some(ReasoningEvent::Finished(Status::Error)));
    let machine = reasoning.machine();
    assert_eq!(machine.streaming_text, "Step 1: ");
    assert_eq!(machine.termination_reason, Some(TerminationReason::Error));
    let error = reasoning.finish().await.unwrap_err();
    assert_eq!(error.kind(), &ModelErrorKind::Timeout);
    assert_eq!(error.to_string(), "the run's time limit of 5s passed");
}

#[tokio::test]
async fn an_endless_reply_is_cut_off() {
    let machine = Reasoner::new(Endless).run("2 + 2?").await.unwrap();
    let text = machine.raw_response.as_deref().unwrap();
    assert!((MAX_REPLY_BYTES - 3..=MAX_REPLY_BYTES).contains(&text.len()), "{}", text.len());
    assert_eq!(
        (machine.finish.as_ref(), machine.steps.len()),
        (Some(&FinishReason::Length), text.len().div_ceil(6))
    );
}

#[tokio::test]
async fn a_used_up_budget_calls_no_model() {
    let budget = Budget { calls: Some(0), ..Budget::NONE };
    let error = Reasoner::new(unused())
        .configure(|runner| runner.budget(budget))
        .run("2 + 2?")
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), "the budget of 0 calls is used up");
    let source: &RunError = error.source().unwrap().downcast_ref().unwrap();
    let RunError::Failed(failed) = source else { panic!("{source}") };
    let Ending::Halted(halt) = failed.ending() else { panic!("{failed}") };
    assert_eq!(halt.reason, HaltReason::Budget(budget));
}

#[tokio::test]
async fn replies_that_are_cut_off_or_refuse_are_results() {
    let long = "I can't say. ".repeat(2_000);
    let usage = Usage::for_call(7, 5).cost(0.5);
    for (text, finish) in [
        ("Step 1: 2 + 2 is", FinishReason::Length),
        ("", FinishReason::Length),
        ("I can't say.", FinishReason::Refusal),
        (&*long, FinishReason::Stop),
        ("", FinishReason::Stop),
    ] {
        let reply = ModelReply::new(text).finish(finish.clone()).usage(usage);
        let machine = Reasoner::new(ScriptedModel::new([reply.clone()])).run("?").await.unwrap();
        assert_eq!(
            (machine.raw_response.as_deref(), machine.finish.as_ref()),
            (Some(text), Some(&finish))
        );
        assert_eq!((machine.status, machine.usage()), (Status::Completed, usage));

        // Driven by messages, a machine has the same results.
        let mut by_hand = Machine::asking("?");
        let call_id = by_hand.current_call_id.as_deref().unwrap().to_owned();
        by_hand.update(Message::LlmResult { call_id, result: Ok(reply) });
        let mut map = machine.to_map();
        map["current_call_id"] = by_hand.to_map()["current_call_id"].clone();
        assert_eq!(map, by_hand.to_map());
    }
}

#[tokio::test]
async fn the_process_sends_the_request_of_the_directive() {
    let spaced = "  two\n\nlines ${state} {x} \n";
    for prompt in ["2 + 2?", "", spaced, "\"”\u{7}"] {
        for system in [None, Some("Think."), Some(spaced)] {
            let model = Arc::new(ScriptedModel::new([REPLY]));
            let mut reasoner = Reasoner::new(Arc::clone(&model));
            if let Some(system) = system {
                reasoner = reasoner.system_prompt(system);
            }
            let reasoning = reasoner.start(prompt);
            let expected = reasoning.machine().pending().unwrap().request().unwrap();
            reasoning.finish().await.unwrap();
            let sent = &model.requests()[0];
            assert_eq!((sent.prompt(), sent.system()), (expected.prompt(), expected.system()));
            assert_eq!(sent.system(), Some(system.unwrap_or(default_system_prompt())));
            assert!(sent.schema.is_none());
        }
    }
}

#[tokio::test]
async fn a_dropped_question_goes_on_in_its_store_and_ends_once() {
    let store = MemoryStore::default();
    let reasoner = |model| {
        Reasoner::new(model)
            .system_prompt("Think.")
            .configure(|runner| runner.store(store.clone()).run_id("sum"))
    };
    let model = Arc::new(ScriptedModel::new([REPLY]).streaming(4));
    let mut dropped = reasoner(Arc::clone(&model)).start("2 + 2?");
    while dropped.next().await != Some(ReasoningEvent::Delta("Step".to_owned())) {}
    let call_id = dropped.machine().current_call_id.as_deref().unwrap().to_owned();
    let run = &store.runs(&RunFilter::default()).await.unwrap()[0];
    assert!(!run.status.is_ended());
    drop(dropped);

    // Another program, with another system prompt: the stored question is answered.
    let again = Arc::new(ScriptedModel::new([REPLY]).streaming(4));
    let mut resumed = reasoner(Arc::clone(&again)).system_prompt("No.").start("2 + 2?");
    let started = ReasoningEvent::Started { call_id: call_id.clone() };
    assert_eq!(resumed.next().await, Some(started));
    let machine = resumed.finish().await.unwrap();
    assert_eq!(
        (machine.prompt.as_deref(), machine.conclusion.as_deref()),
        (Some("2 + 2?"), Some("4"))
    );
    assert_eq!(
        (machine.current_call_id.as_deref(), &*machine.streaming_text),
        (Some(&*call_id), REPLY)
    );
    assert_eq!(again.requests(), model.requests());

    let mut over = reasoner(Arc::new(unused())).start("2 + 2?");
    assert_eq!(over.next().await, Some(ReasoningEvent::Finished(Status::Completed)));
    assert_eq!(over.next().await, None);
    let mut known = over.finish().await.unwrap().to_map();
    known["streaming_text"] = machine.streaming_text.as_str().into();
    assert_eq!(known, machine.to_map());

    let runs = store.runs(&RunFilter::default()).await.unwrap();
    assert!(matches!(&runs[0].status, RunStatus::Ended { how: EndKind::End, .. }));
    assert_eq!(runs.len(), 1);
}

#[tokio::test]
async fn a_question_that_failed_stays_failed() {
    let store = MemoryStore::default();
    let reasoner =
        |model| Reasoner::new(model).configure(|runner| runner.store(store.clone()).run_id("sum"));
    let error = reasoner(ScriptedModel::new([""; 0])).run("2 + 2?").await.unwrap_err();
    let mut again = reasoner(unused()).start("2 + 2?");
    assert_eq!(again.next().await, Some(ReasoningEvent::Finished(Status::Error)));
    let known = again.finish().await.unwrap_err();
    assert_eq!((known.kind(), known.to_string()), (error.kind(), error.to_string()));
}

#[tokio::test]
async fn a_worker_answers_a_submitted_question() {
    let store = MemoryStore::default();
    let runner = Reason::runner().model(ScriptedModel::new([REPLY]));
    let submitting = runner.clone().store(store.clone());
    let run = submitting.run_id("sum").submit(&Machine::asking("2 + 2?")).await.unwrap();
    runner.worker(store.clone()).run_until_idle().await.unwrap();
    let trace = load_trace(&store, &run).await.unwrap().unwrap().to_string();
    assert!(task_format::check(&trace).is_valid(), "{trace}");
    assert!(trace.contains("2 + 2 is 4."), "{trace}");
    // A reasoner reads the answer.
    let machine = Reasoner::new(unused())
        .configure(|runner| runner.store(store).run_id("sum"))
        .run("2 + 2?")
        .await
        .unwrap();
    assert_eq!(
        (machine.prompt.as_deref(), machine.conclusion.as_deref()),
        (Some("2 + 2?"), Some("4"))
    );
}

#[tokio::test]
async fn a_reply_too_long_to_be_read_is_an_error() {
    let reply = "1. a\n".repeat(300_000);
    let error = Reasoner::new(ScriptedModel::new([reply])).run("2 + 2?").await.unwrap_err();
    assert!(error.to_string().contains("the reply has 1500000 bytes"), "{error}");
}

#[tokio::test]
async fn a_run_that_can_not_start_is_an_error() {
    let error = Reasoner::new(unused())
        .configure(|runner| runner.run_id("sum"))
        .run("2 + 2?")
        .await
        .unwrap_err();
    let source: &RunError = error.source().unwrap().downcast_ref().unwrap();
    assert!(matches!(source, RunError::NoStore));
    let stored = Reasoner::new(unused()).configure(|runner| runner.store(MemoryStore::default()));
    let mut reasoning = stored.configure(|runner| runner.run_id("no\nname")).start("2 + 2?");
    assert_eq!(reasoning.next().await, Some(ReasoningEvent::Finished(Status::Error)));
    assert_eq!(reasoning.next().await, None);
}

#[tokio::test]
async fn a_question_is_captured_and_replayed() {
    let (capture, buffer) = Capture::to_memory();
    let reasoner = Reasoner::new(ScriptedModel::new([REPLY]).streaming(4));
    let reasoner = reasoner.system_prompt("Think.");
    let first = reasoner.configure(|runner| runner.capture(capture)).run("2 + 2?").await.unwrap();

    let replay = || buffer.replay().unwrap();
    let replayed = Reasoner::new(unused()).system_prompt("Think.");
    let same = replayed.clone().configure(|runner| runner.replay(replay()));
    let machine = same.run("2 + 2?").await.unwrap();
    assert_eq!((&machine.steps, machine.usage()), (&first.steps, first.usage()));
    let other = replayed.configure(|runner| runner.replay(replay()));
    let error = other.run("2 + 3?").await.unwrap_err();
    assert_eq!(error.kind(), &ModelErrorKind::Diverged);
    assert!(error.to_string().contains("2 + 3?"), "{error}");
}

#[tokio::test]
async fn a_question_is_traced_and_observed() {
    let recorder = RunRecorder::<Reason>::new("2 + 2?");
    let (observer, committed) = (recorder.observer(), Arc::new(std::sync::Mutex::new(Vec::new())));
    let outputs = Arc::clone(&committed);
    let reasoner = Reasoner::new(ScriptedModel::new([REPLY])).configure(|runner| {
        runner.observe(observer).observe(move |event, _| {
            if let RunEvent::Committed { task, usage, .. } = event {
                outputs.lock().unwrap().push((*task, usage.calls));
            }
        })
    });
    reasoner.run("2 + 2?").await.unwrap();
    assert_eq!(*committed.lock().unwrap(), [(ReasonTask::Reason, 1)]);
    let text = recorder.trace().to_string();
    assert!(task_format::check(&text).is_valid(), "{text}");
    assert!(text.contains("2 + 2 is 4.") && text.contains("🏷 reason-1"), "{text}");
}
