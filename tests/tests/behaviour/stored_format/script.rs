//! Models and a person that give every call the same answer, whenever and how often they are asked. Samples
//! were written with it: what it says never changes.

use std::time::Duration;

use cot_core::{
    Process, Question, Runner, Usage,
    model::{
        BoxFuture, DeltaSink, FinishReason, LanguageModel, ModelError, ModelErrorKind, ModelReply,
        ModelRequest,
    },
};
use serde_json::{Value, json};
use tokio::time::sleep;

/// A model, by the name of its engine.
pub(super) struct Script(pub(super) &'static str);

/// How long a person thinks: less than the time that a resumed question stands at least.
pub(super) const THOUGHT: Duration = Duration::from_millis(500);

/// What a person does with a question.
#[derive(Debug)]
pub(super) enum Said {
    Answer(Value),
    Nothing,
    /// Ends the run.
    Leaves,
}

/// Why a run ends at which the person leaves.
pub(super) const LEFT: &str = "the person left";

/// A runner whose models and person follow the script.
pub(super) fn scripted<P: Process<Context = ()>>() -> Runner<P> {
    Runner::new()
        .engine("large", Script("large"))
        .engine("small", Script("small"))
        .model(Script("default"))
        .person(|question| async move {
            sleep(THOUGHT).await;
            match said(&question) {
                Said::Answer(answer) => answer,
                Said::Nothing => std::future::pending().await,
                // As a panic, but for what is printed.
                Said::Leaves => std::panic::resume_unwind(Box::new(LEFT)),
            }
        })
}

/// The words of a text that say what is asked.
fn marked(text: &str) -> &str {
    text.split_once("[[").and_then(|(_, rest)| Some(rest.split_once("]]")?.0)).unwrap().trim()
}

/// What a person does with a question.
pub(super) fn said(question: &Question) -> Said {
    match (marked(&question.text), question.issues.is_some()) {
        ("ask", false) => Said::Answer(idea("the old port", 10_000)),
        ("ask", true) => Said::Answer(idea("the new port", 600)),
        ("agree", false) => Said::Answer(json!("perhaps")),
        ("agree", true) => Said::Answer(json!(true)),
        ("cancelled", _) => Said::Leaves,
        _ => Said::Nothing,
    }
}

/// How long a call takes.
pub(super) fn latency(request: &ModelRequest) -> Duration {
    match marked(request.prompt()) {
        "slow" => Duration::from_secs(10),
        mark => Duration::from_millis(100 + 7 * (mark.len() as u64 % 10)),
    }
}

/// What an engine replies.
pub(super) fn reply(engine: &str, request: &ModelRequest) -> Result<ModelReply, ModelError> {
    let prompt = request.prompt();
    let is_retry = prompt.contains("Wrong:");
    let usage = Usage::for_call(100 + marked(prompt).len() as u64, 10).cost(0.25);
    let is_away = match engine {
        "large" => matches!(marked(prompt), "write" | "where a bridge"),
        _ => marked(prompt) == "far",
    };
    if is_away {
        return Err(ModelError::new(ModelErrorKind::Connection, "nobody is there"));
    }
    let finish = match marked(prompt) {
        "long" => FinishReason::Length,
        "balk" => FinishReason::Refusal,
        _ => FinishReason::Stop,
    };
    let text = match marked(prompt) {
        "hub" if prompt.contains("nowhere") => go("write"),
        "hub" if is_retry => go("nowhere"),
        mark => text(mark, is_retry),
    };
    Ok(ModelReply::new(text).usage(usage).finish(finish))
}

fn text(mark: &str, is_retry: bool) -> String {
    match (mark, is_retry) {
        ("hub", _) => "I would rather write.".to_owned(),
        ("hub console", false) => go_with("ask", json!({ "name": "x" })),
        ("hub console", true) => go_with("ask", json!({ "name": "Porto" })),
        ("hub visit", _) => go("each"),
        ("hub calm", _) => format!("So:\n```json\n{}\n```", go("done")),
        ("write", false) => idea("Lisbon", 3).to_string(),
        ("write", true) => "Better: {'text': 'a bridge', \"rank\": \"3\",}".to_owned(),
        ("plan" | "weigh", false) => idea("a plan", 0).to_string(),
        ("where the new port", false) => json!({ "name": "y" }).to_string(),
        ("where the new port", true) => json!({ "name": "west" }).to_string(),
        ("where the gate", _) => "{name: 'north'}".to_owned(),
        ("about mud" | "stubborn", _) => "no idea".to_owned(),
        ("about west", false) => "{\"text\": \"\", \"rank\": 1}".to_owned(),
        ("think", false) => "Hard to say.".to_owned(),
        ("think", true) => {
            "Step 1: It is by the sea.\nStep 2: It is warm.\n\nConclusion: Yes.".to_owned()
        }
        ("long", _) => "{\"text\": \"once upon".to_owned(),
        ("balk", _) => "I can't help with that.".to_owned(),
        _ if mark.starts_with("where") => json!({ "name": "south" }).to_string(),
        _ => idea(mark, mark.len() as u32).to_string(),
    }
}

fn idea(text: &str, rank: u32) -> Value {
    json!({ "text": text, "rank": rank })
}

fn go(task: &str) -> String {
    json!({ "intent": "look round", "goTo": task, "stepAfter": "see more" }).to_string()
}

fn go_with(task: &str, inputs: Value) -> String {
    json!({ "intent": "ask", "goTo": task, "stepAfter": "go", "inputs": inputs }).to_string()
}

impl LanguageModel for Script {
    fn reply<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            sleep(latency(request)).await;
            reply(self.0, request)
        })
    }

    /// Hands on a part of the reply, starts over, and hands on all of it.
    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        sink: &'a DeltaSink,
    ) -> BoxFuture<'a, Result<ModelReply, ModelError>> {
        Box::pin(async move {
            sink.push("{\"text\": \"a");
            sleep(latency(request)).await;
            sink.restart();
            let reply = reply(self.0, request)?;
            for piece in reply.text.split_inclusive(' ') {
                sink.push(piece);
                tokio::task::yield_now().await;
            }
            Ok(reply)
        })
    }
}
