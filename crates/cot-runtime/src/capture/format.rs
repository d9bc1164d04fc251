//! The line format of captures.

use cot_engine::{CallKey, FunctionError};
use cot_model::{
    ModelError, ModelReply, ModelRequest, ModelSettings, PartName, Segment, Stability, Turn,
};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

/// The version of the format.
pub(super) const FORMAT: u64 = 1;

/// The header of a capture: its first line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) cot_capture: u64,
    pub(super) process: String,
}

/// A call: every other line. Embedded JSON stays text until it is needed, so that a line takes no more
/// memory than its length.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Call {
    pub(super) key: CallKey,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) engine: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) prompt: Vec<Piece>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) schema: Option<Schema>,
    /// The earlier turns of the conversation, and the examples.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) turns: Vec<Turn>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) settings: ModelSettings,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reply: Option<ModelReply>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<ModelError>,
    /// The answer of a person, which may be `null`.
    #[serde(
        default,
        deserialize_with = "deserialize_present",
        skip_serializing_if = "Option::is_none"
    )]
    pub(super) answer: Option<Box<RawValue>>,
    /// The tool that was called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tool: Option<CapturedTool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) elapsed_ms: Option<f64>,
}

/// A call of a tool.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct CapturedTool {
    pub(super) name: String,
    pub(super) arguments: Value,
    pub(super) outcome: ToolOutcome,
}

/// The result of a call of a tool.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ToolOutcome {
    Result(Value),
    Error(FunctionError),
    /// The time limit of the call passed.
    TimedOut,
}

/// A segment of the prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Piece {
    /// The part of the prompt; `None` if the prompt is not divided into parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) part: Option<PartName>,
    pub(super) stability: Stability,
    pub(super) text: String,
}

/// The schema that was sent with the request.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Schema {
    pub(super) name: String,
    pub(super) json: Box<RawValue>,
}

impl Call {
    /// Creates a call with only its key.
    pub(super) fn new(key: CallKey) -> Self {
        Self {
            key,
            engine: None,
            prompt: Vec::new(),
            schema: None,
            turns: Vec::new(),
            settings: ModelSettings::default(),
            reply: None,
            error: None,
            answer: None,
            tool: None,
            elapsed_ms: None,
        }
    }

    /// Returns why the line is not a valid call, although it has the right shape.
    pub(super) fn validation_error(&self) -> Option<&'static str> {
        let Self { reply, error, answer, tool, .. } = self;
        let answers = [reply.is_some(), error.is_some(), answer.is_some(), tool.is_some()];
        match answers.into_iter().filter(|is_there| *is_there).count() {
            0 => Some("it should have a `reply`, an `error`, an `answer` or a `tool`"),
            1 => None,
            _ => Some("it should have one of `reply`, `error`, `answer` and `tool`, not several"),
        }
    }
}

impl Schema {
    pub(super) fn new(name: String, json: &Value) -> Result<Self, serde_json::Error> {
        Ok(Self { name, json: to_raw_value(json)? })
    }
}

/// Returns the segments of a request, the system message first.
pub(super) fn request_pieces(request: &ModelRequest) -> Vec<Piece> {
    let segments = request.segments();
    let piece = |segment: &Segment| Piece {
        part: Some(segment.part),
        stability: segment.stability,
        text: segment.text.clone(),
    };
    segments.iter().map(piece).collect()
}

fn is_default(settings: &ModelSettings) -> bool {
    *settings == ModelSettings::default()
}

/// Deserializes a field that is present, even if it is `null`.
fn deserialize_present<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::<RawValue>::deserialize(deserializer).map(Some)
}
