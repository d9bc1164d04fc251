//! The arguments of a call, beside the parameters of its tool.
//!
//! Values in calls are often quoted whatever they are, and words often not, so that the text of a
//! number is a number here, and the other way round.

use std::collections::HashSet;

use serde_json::Value as Json;

use super::super::{
    Call, Code, Entry, Expr, MAX_DEPTH, Number, Value,
    diagnostic::{Findings, shown},
};
use crate::suggest;

/// Checks arguments as long as that takes no time out of proportion: many calls of a tool with
/// many parameters could.
#[derive(Debug)]
pub(super) struct Arguments {
    steps: usize,
}

const MAX_STEPS: usize = 1_000_000;
/// So many names are compared with one that is none.
pub(super) const MAX_SUGGESTED: usize = 50;

impl Default for Arguments {
    fn default() -> Self {
        Self { steps: MAX_STEPS }
    }
}

impl Arguments {
    pub(super) fn check(
        &mut self,
        call: &Call<'_>,
        tool: &str,
        schema: &Json,
        findings: &mut Findings,
    ) {
        self.check_missing(call, tool, schema, findings);
        let properties = schema.get("properties").and_then(Json::as_object);
        let is_open = !matches!(schema.get("additionalProperties"), None | Some(Json::Bool(false)));
        for Entry { key, position, expr } in call.arguments() {
            let parameter = properties.and_then(|properties| properties.get(key));
            if let Some(parameter) = parameter {
                if let Some(problem) = self.problem(parameter, expr, 0) {
                    let message = format!("the argument {} {problem}", shown(key));
                    findings.add(Code::WrongArgument, expr.position, message);
                }
            } else if let Some(properties) = properties.filter(|_| !is_open) {
                let names = properties.keys().map(String::as_str).take(MAX_SUGGESTED);
                let may_suggest = findings.has_room(Code::UnknownArgument);
                let likely = may_suggest.then(|| suggest::closest(key, names)).flatten();
                let hint = likely.map(|likely| format!("; did you mean `{likely}`?"));
                let message = format!(
                    "{} has no parameter {}{}",
                    shown(tool),
                    shown(key),
                    hint.unwrap_or_default()
                );
                findings.add(Code::UnknownArgument, *position, message);
            }
        }
    }

    fn check_missing(
        &mut self,
        call: &Call<'_>,
        tool: &str,
        schema: &Json,
        findings: &mut Findings,
    ) {
        let Some(required) = schema.get("required").and_then(Json::as_array) else { return };
        if !self.spend(required.len()) {
            return;
        }
        let given: HashSet<&str> = call.entries().iter().map(|entry| entry.key.as_str()).collect();
        for name in required.iter().filter_map(Json::as_str).filter(|name| !given.contains(name)) {
            let message = format!("{} needs the argument {}", shown(tool), shown(name));
            findings.add(Code::MissingArgument, call.expr.position, message);
        }
    }

    /// Why a value does not fit a schema.
    fn problem(&mut self, schema: &Json, expr: &Expr, depth: usize) -> Option<String> {
        let schema = schema.as_object()?;
        if depth > MAX_DEPTH || !self.spend(weight(expr)) {
            return None;
        }
        if let Some(allowed) = schema.get("enum").and_then(Json::as_array) {
            return self.none_of(allowed, expr);
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(alternatives) = schema.get(key).and_then(Json::as_array) {
                let mut all = alternatives.iter();
                let fits = all.any(|schema| self.problem(schema, expr, depth + 1).is_none());
                return (!fits).then(|| "fits none of the alternatives".to_owned());
            }
        }
        if let Some(problem) = schema.get("type").and_then(|kinds| wrong_type(kinds, expr)) {
            return Some(problem);
        }
        match &expr.value {
            Value::Array(items) => {
                let schema = schema.get("items")?;
                items.iter().find_map(|item| self.problem(schema, item, depth + 1))
            }
            Value::Object(object) => {
                let properties = schema.get("properties")?.as_object()?;
                // Those that the schema does not name are looked up too.
                self.spend(object.entries.len()).then_some(())?;
                object.entries.iter().find_map(|entry| {
                    let problem =
                        self.problem(properties.get(&entry.key)?, &entry.expr, depth + 1)?;
                    Some(format!("is wrong: {} {problem}", shown(&entry.key)))
                })
            }
            _ => None,
        }
    }

    fn none_of(&mut self, allowed: &[Json], expr: &Expr) -> Option<String> {
        if allowed.iter().any(|json| self.is_same(json, expr)) {
            return None;
        }
        let shown: Vec<String> = allowed.iter().take(10).map(in_words).collect();
        Some(format!("is none of {}", shown.join(", ")))
    }

    /// Whether a value is the one of a schema, or its text is; once the steps are used up, all are.
    fn is_same(&mut self, json: &Json, expr: &Expr) -> bool {
        if !self.spend(weight(expr)) {
            return true;
        }
        match (&expr.value, json) {
            (Value::Array(items), Json::Array(list)) => {
                items.len() == list.len()
                    && items.iter().zip(list).all(|(item, json)| self.is_same(json, item))
            }
            (Value::Object(object), Json::Object(map)) => {
                let mut entries = object.entries.iter();
                let is_here = |entry: &Entry| {
                    map.get(&entry.key).is_some_and(|json| self.is_same(json, &entry.expr))
                };
                object.entries.len() == map.len() && entries.all(is_here)
            }
            (Value::Null, json) => json.is_null(),
            (Value::Text(text), Json::String(json)) => text == json,
            (Value::Text(text), json) => word(json).is_some_and(|word| word == *text),
            (Value::Number(number), Json::Number(json)) => Number::from(json) == *number,
            (Value::Number(number), json) => {
                json.as_str().is_some_and(|json| number.to_string() == json)
            }
            (Value::Bool(bool), Json::Bool(json)) => bool == json,
            (Value::Bool(bool), json) => json.as_str().is_some_and(|json| bool.to_string() == json),
            _ => false,
        }
    }

    fn spend(&mut self, steps: usize) -> bool {
        let left = self.steps.checked_sub(steps);
        self.steps = left.unwrap_or(0);
        left.is_some()
    }
}

/// How long it takes to look at a value, without those within.
fn weight(expr: &Expr) -> usize {
    1 + expr.as_text().map_or(0, str::len) / 64
}

/// Longer texts are no number that somebody put between quotes.
const MAX_NUMBER_BYTES: usize = 1_000;

fn wrong_type(kinds: &Json, expr: &Expr) -> Option<String> {
    let list = kinds.as_array().map_or(std::slice::from_ref(kinds), Vec::as_slice);
    let mut kinds = list.iter().take(10).filter_map(Json::as_str).peekable();
    let first = *kinds.peek()?;
    let fits = kinds.any(|kind| is_of_type(kind, expr));
    (!fits).then(|| format!("is {}, not of type `{first}`", expr.value.kind()))
}

/// Whether a value is of a type, or its text is. Types that JSON schemas do not know take anything.
fn is_of_type(kind: &str, expr: &Expr) -> bool {
    let number = match &expr.value {
        Value::Number(number) => Some(*number),
        Value::Text(text) if text.len() <= MAX_NUMBER_BYTES => Number::parse(text.trim()),
        _ => None,
    };
    let holds = |open: char| expr.as_text().is_some_and(|text| text.trim_start().starts_with(open));
    match kind {
        "string" => matches!(expr.value, Value::Text(_) | Value::Number(_) | Value::Bool(_)),
        "number" => number.is_some(),
        "integer" => number.is_some_and(Number::is_whole),
        "boolean" => {
            matches!(expr.value, Value::Bool(_)) || matches!(expr.as_text(), Some("true" | "false"))
        }
        "array" => matches!(expr.value, Value::Array(_)) || holds('['),
        "object" => matches!(expr.value, Value::Object(_)) || holds('{'),
        "null" => matches!(expr.value, Value::Null) || expr.as_text() == Some("null"),
        _ => true,
    }
}

/// What is no text, list or object, as a word.
fn word(json: &Json) -> Option<String> {
    match json {
        Json::Number(number) => Some(Number::from(number).to_string()),
        Json::Bool(_) | Json::Null => Some(json.to_string()),
        _ => None,
    }
}

fn in_words(json: &Json) -> String {
    match json {
        Json::String(text) => shown(text),
        Json::Array(_) => "an array".to_owned(),
        Json::Object(_) => "an object".to_owned(),
        _ => shown(&json.to_string()),
    }
}
