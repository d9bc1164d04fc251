//! Sequences of messages and their effects on a machine.

use cot_core::{
    Usage,
    model::{ModelError, ModelErrorKind, ModelReply},
    reasoning::{ChunkType, Environment, Machine, Message},
};
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize)]
pub(crate) struct Sequence {
    id: String,
    initial: Option<Map<String, Value>>,
    messages: Vec<Value>,
    expected: Vec<After>,
    #[serde(rename = "final")]
    end: Map<String, Value>,
}

/// Returns the machine after one message.
#[derive(Deserialize)]
struct After {
    status: String,
    directives: Vec<Value>,
    ignored: bool,
}

impl Sequence {
    /// Describes a difference from the expectation, if there is one.
    pub(crate) fn mistake(&self) -> Option<String> {
        let mut machine = match &self.initial {
            Some(map) => Machine::from_map(map.clone()).unwrap(),
            None => Machine::new(),
        };
        for (index, (message, after)) in self.messages.iter().zip(&self.expected).enumerate() {
            if let Some(mistake) = after.mistake(&mut machine, message) {
                return Some(format!("{}, message {index}: {mistake}", self.id));
            }
        }
        let map = machine.to_map();
        let wrong = self.end.iter().find(|(name, value)| !fits(name, map.get(*name), value));
        wrong.map(|(name, value)| {
            format!("{}: {name} is {:?}, expected {value}", self.id, map.get(name))
        })
    }
}

impl After {
    fn mistake(&self, machine: &mut Machine, message: &Value) -> Option<String> {
        let before = machine.clone();
        let (message, environment) = read(message);
        let directives = machine.update_in(message, &environment);
        let is_ignored = directives.is_empty() && before == *machine;
        let directives: Vec<Value> =
            directives.iter().map(|directive| serde_json::to_value(directive).unwrap()).collect();
        let status = machine.to_map()["status"].clone();
        let right = status == self.status
            && is_ignored == self.ignored
            && directives.len() == self.directives.len()
            && directives.iter().zip(&self.directives).all(|(is, expected)| holds(is, expected));
        (!right).then(|| format!("{status}, {directives:?}, ignored: {is_ignored}"))
    }
}

fn read(message: &Value) -> (Message, Environment) {
    let text = |name: &str| message[name].as_str().unwrap_or_default().to_owned();
    let system_prompt = message["env"]["system_prompt"].as_str().map(str::to_owned);
    let call_id = text("call_id");
    let message = match message["type"].as_str().unwrap() {
        "start" => Message::Start { prompt: text("prompt"), call_id },
        "llm_partial" => {
            let delta = message["delta"].as_str().unwrap_or_default().to_owned();
            let chunk_type = serde_json::from_value(message["chunk_type"].clone());
            Message::LlmPartial {
                call_id,
                delta,
                chunk_type: chunk_type.unwrap_or(ChunkType::Other),
            }
        }
        "llm_result" => Message::LlmResult { call_id, result: result(&message["result"]) },
        other => unreachable!("{other}"),
    };
    (message, Environment { system_prompt, now: None })
}

fn result(result: &Value) -> Result<ModelReply, ModelError> {
    if let Some(error) = result.get("error") {
        return Err(ModelError::new(ModelErrorKind::Other, in_words(error)));
    }
    let reply = &result["ok"];
    let tokens = |name: &str| reply["usage"][name].as_u64().unwrap_or_default();
    let usage = Usage::for_call(tokens("input_tokens"), tokens("output_tokens"));
    Ok(ModelReply::new(reply["text"].as_str().unwrap_or_default()).usage(usage))
}

fn in_words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns whether a member of the map matches. Missing usage counts as 0.
fn fits(name: &str, is: Option<&Value>, expected: &Value) -> bool {
    let is = is.unwrap_or(&Value::Null);
    match (name, expected) {
        ("started_at", _) => true,
        ("usage", Value::Object(expected)) => expected.iter().all(|(counter, number)| {
            let total =
                || is["input_tokens"].as_u64().unwrap() + is["output_tokens"].as_u64().unwrap();
            let counted =
                if counter == "total_tokens" { Some(total()) } else { is[counter].as_u64() };
            counted == Some(number.as_u64().unwrap_or_default())
        }),
        ("result", Value::Object(_)) => *is == in_words(expected),
        _ => is == expected,
    }
}

/// Returns whether a directive has all expected members; texts can differ.
fn holds(is: &Value, expected: &Value) -> bool {
    match expected {
        Value::Object(members) => members.iter().all(|(name, value)| match name.as_str() {
            "message" => true,
            "content_contains" => {
                let content = is["content"].as_str().unwrap_or_default();
                value
                    .as_array()
                    .unwrap()
                    .iter()
                    .all(|part| content.contains(part.as_str().unwrap()))
            }
            _ => holds(&is[name], value),
        }),
        Value::Array(items) => {
            let found = is.as_array().map(Vec::as_slice).unwrap_or_default();
            found.len() == items.len() && found.iter().zip(items).all(|(is, item)| holds(is, item))
        }
        _ => is == expected,
    }
}
