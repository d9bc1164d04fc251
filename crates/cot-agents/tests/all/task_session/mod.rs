//! Sessions with scripted models.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests may panic")]
#![allow(missing_docs, unreachable_pub, reason = "tests have no users")]

mod endurance;
mod engine;
mod hostile;
mod property;
mod refusing;
mod resuming;
mod stopping;
mod stored;
mod stored_tools;
mod stores;
#[path = "../../../../cot-task-format/src/tests/texts.rs"]
mod texts;
mod tool_sets;
mod tools;
mod turns;

use std::{convert::Infallible, fmt, sync::Arc};

use cot_agents::task_session::*;
use cot_core::{CotOutput, tools::ToolSet};
use cot_model::{
    LanguageModel, ModelReply, ModelRequest, ModelSettings, ScriptedAnswer, ScriptedModel,
};
use cot_task_format::{BlockKind, Code, parse};
use futures_util::StreamExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A place.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Place {
    #[schemars(length(min = 5))]
    zip_code: String,
    unit: Option<String>,
}

/// A text.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Said {
    text: String,
}

/// The error of a tool.
#[derive(Debug)]
struct Broken;

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the sensor is 「broken」")
    }
}

impl std::error::Error for Broken {}

const PLAN: &str =
    "plan { todo ↦ { 1 ↦ \"Look.\" • 2 ↦ \"Answer.\" } • rationale ↦ \"Easy.\" }\n\n";
const CALL: &str = "act { call ↦ { tool ↦ get_weather • zip_code ↦ \"94103\" • id ↦ w1 } ⊨ 1 }\n";
const ANSWER: &str = "response「It is 68 °F.」 ※ w1 ⊨ 2\n";

/// A session with tools and scripted replies.
fn builder(model: &Arc<ScriptedModel>) -> SessionBuilder {
    Session::builder(Arc::clone(model)).system("You know the weather.").tools(tools())
}

fn tools() -> ToolSet {
    ToolSet::new()
        .tool("get_weather", "The weather at a place", async |place: Place| {
            Ok::<_, Infallible>(format!("68 °F in {}", place.zip_code))
        })
        .tool("echo", "Says it", async |said: Said| Ok::<_, Infallible>(said.text))
        .tool("fails", "Fails", async |_: Said| Err::<(), _>(Broken))
        .tool("panics", "Panics", async |_: Said| -> Result<(), Broken> { panic!("ouch") })
}

fn scripted<A: ScriptedAnswer>(replies: impl IntoIterator<Item = A>) -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::new(replies))
}

fn session<A: ScriptedAnswer>(
    replies: impl IntoIterator<Item = A>,
) -> (Session, Arc<ScriptedModel>) {
    let model = scripted(replies);
    (builder(&model).build().unwrap(), model)
}

/// Returns all events of a turn.
async fn events(mut turn: ActiveTurn<'_>) -> Vec<SessionEvent> {
    let mut events = Vec::new();
    while let Some(event) = turn.next().await {
        events.push(event);
    }
    events
}

fn prompts(model: &ScriptedModel) -> Vec<String> {
    model.requests().iter().map(|request| request.prompt().to_owned()).collect()
}

fn kinds(session: &Session) -> Vec<&'static str> {
    let opening = |block: &&cot_task_format::Block| block.kind != BlockKind::Tool;
    session.trace().blocks.iter().filter(opening).map(|block| block.kind.keyword()).collect()
}

/// Asserts that the trace is valid and can be parsed again.
fn assert_sound(session: &Session) {
    let text = session.trace().to_string();
    let report = cot_task_format::check(&text);
    assert!(report.is_valid(), "{text}\n{:#?}", report.errors);
    assert_eq!(&parse(&text).unwrap(), session.trace());
}

fn refused(events: &[SessionEvent]) -> Vec<(Code, &str)> {
    let all = events.iter().filter_map(|event| match event {
        SessionEvent::Refused { diagnostics, .. } => Some(diagnostics),
        _ => None,
    });
    all.flatten().map(|found| (found.code, found.message.as_str())).collect()
}

fn findings(events: &[SessionEvent]) -> Vec<Code> {
    let code = |event: &SessionEvent| match event {
        SessionEvent::Finding(found) => Some(found.code),
        _ => None,
    };
    events.iter().filter_map(code).collect()
}
