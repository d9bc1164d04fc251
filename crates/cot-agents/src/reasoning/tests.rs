//! Questions to scripted models.

use std::sync::Arc;

use cot_model::{
    BoxFuture, DeltaSink, LanguageModel, ModelError, ModelErrorKind, ModelReply, ModelRequest,
    ModelSettings, ScriptedModel,
};
use cot_store::MemoryStore;
use futures_util::{FutureExt, StreamExt};

use super::{ActiveReasoning, Machine, Reasoner, ReasoningEvent, Status};

const REPLY: &str = "Step 1: 光。\nAnswer: 4";

async fn events(mut reasoning: ActiveReasoning) -> (Vec<ReasoningEvent>, Machine) {
    let mut events = Vec::new();
    while let Some(event) = reasoning.next().await {
        events.push(event);
    }
    (events, reasoning.machine().clone())
}

#[tokio::test]
async fn a_question_is_asked_and_taken_apart() {
    let model = Arc::new(ScriptedModel::new([REPLY]));
    let reasoner = Reasoner::new(Arc::clone(&model)).system_prompt("Think.");
    let settings =
        ModelSettings { temperature: Some(0.5), max_tokens: Some(99), ..ModelSettings::default() };
    let machine = reasoner.settings(settings).run("2 + 2?").await.unwrap();
    assert_eq!((machine.conclusion.as_deref(), machine.steps.len()), (Some("4"), 1));
    assert_eq!(machine.usage().calls, 1);
    let asked = &model.requests()[0];
    assert_eq!((asked.system(), asked.prompt()), (Some("Think."), "2 + 2?"));
    assert_eq!((asked.settings.temperature, asked.settings.max_tokens), (Some(0.5), Some(99)));
}

#[tokio::test]
async fn the_name_of_a_run_has_one_question() {
    let model = Arc::new(ScriptedModel::new([REPLY, REPLY]));
    let reasoner = Reasoner::new(Arc::clone(&model))
        .configure(|runner| runner.store(MemoryStore::default()).run_id("sum"));
    for _ in 0..2 {
        assert_eq!(reasoner.run("2 + 2?").await.unwrap().conclusion.as_deref(), Some("4"));
    }
    let error = reasoner.run("3 + 3?").await.unwrap_err();
    assert_eq!(error.to_string(), "run `sum` has the question `2 + 2?`, not `3 + 3?`");
    let (events, machine) = events(reasoner.start("3 + 3?")).await;
    assert_eq!(events, [ReasoningEvent::Finished(Status::Error)]);
    assert_eq!((machine.prompt.as_deref(), machine.conclusion.as_deref()), (Some("3 + 3?"), None));
    assert_eq!(model.requests().len(), 1);
    reasoner.configure(|runner| runner.run_id("other")).run("3 + 3?").await.unwrap();
}

#[tokio::test]
async fn a_failure_is_the_error() {
    let model = ScriptedModel::new([""; 0]);
    let error = Reasoner::new(model).run("2 + 2?").await.unwrap_err();
    assert_eq!(error.kind(), &ModelErrorKind::ScriptEnded);
}

#[tokio::test]
async fn the_reply_is_handed_on_while_it_comes_in() {
    let reasoner = Reasoner::new(ScriptedModel::new([REPLY, REPLY]).streaming(3));
    let (events, machine) = events(reasoner.start("2 + 2?")).await;
    let id = machine.current_call_id.as_deref().unwrap().to_owned();
    assert!(id.starts_with("cot_"), "{id}");
    assert_eq!(events.first(), Some(&ReasoningEvent::Started { call_id: id }));
    assert_eq!(events.last(), Some(&ReasoningEvent::Finished(Status::Completed)));
    assert_eq!(
        (events.len(), &*machine.streaming_text),
        (2 + REPLY.chars().count().div_ceil(3), REPLY)
    );

    let mut reasoning = reasoner.start("2 + 2?");
    reasoning.next().await;
    assert_eq!(reasoning.next().await, Some(ReasoningEvent::Delta("Ste".to_owned())));
    assert_eq!(reasoning.machine().streaming_text, "Ste");
}

/// Streams a text, restarts, and delivers the last chunk with the end.
struct Stumbling;

impl LanguageModel for Stumbling {
    fn reply<'a>(&'a self, _: &'a ModelRequest) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async { Ok(REPLY.into()) })
    }

    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        sink.push("Stop");
        sink.restart();
        sink.push(REPLY);
        self.reply(request)
    }
}

#[tokio::test]
async fn a_reply_may_begin_again() {
    let (events, machine) = events(Reasoner::new(Stumbling).start("2 + 2?")).await;
    let delta = |text: &str| ReasoningEvent::Delta(text.to_owned());
    let end = ReasoningEvent::Finished(Status::Completed);
    assert_eq!(events[1..], [delta("Stop"), ReasoningEvent::Restarted, delta(REPLY), end]);
    assert_eq!(machine.streaming_text, REPLY);
}

#[tokio::test]
async fn a_machine_out_of_a_map_asks_again() {
    let model = Arc::new(ScriptedModel::new([REPLY, REPLY]).streaming(4));
    let reasoner = Reasoner::new(Arc::clone(&model));
    let mut interrupted = reasoner.clone().system_prompt("Think.").start("2 + 2?");
    interrupted.next().await;
    interrupted.next().await;
    let kept = interrupted.machine().to_map();
    drop(interrupted);

    let restored = Machine::from_map(kept).unwrap();
    assert_eq!(restored.streaming_text, "Step");
    let machine = reasoner.resume(restored.clone()).finish().await.unwrap();
    assert_eq!((machine.conclusion.as_deref(), &*machine.streaming_text), (Some("4"), REPLY));
    assert_eq!(machine.current_call_id.as_deref(), restored.current_call_id.as_deref());
    let asked = model.requests();
    assert_eq!(asked[0], asked[1]);

    let (events, _) = events(reasoner.resume(machine)).await;
    assert_eq!(events, []);
}

#[test]
fn nothing_is_asked_before_the_stream_is_polled() {
    let model = Arc::new(ScriptedModel::new([REPLY]));
    let mut reasoning = Reasoner::new(Arc::clone(&model)).start("2 + 2?");
    assert!(matches!(reasoning.next().now_or_never(), Some(Some(ReasoningEvent::Started { .. }))));
    assert!(model.requests().is_empty());
    assert!(format!("{reasoning:?}").contains("2 + 2?"));
}
