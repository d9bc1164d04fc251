//! Validates the arguments of a call: first against the types of the parameters, then against the JSON
//! schema.
//!
//! Models often quote numbers and leave words unquoted. So the text of a number is accepted as a number
//! here, and a number as its text.

use std::collections::HashSet;

use cot_reader::internal::Target;
use cot_schema::internal::{PathSegment, closest_name, format_path, truncate};
use serde_json::{Map, Value as Json};

use super::tools::Parameters;
use crate::{
    block::Call,
    diagnostic::{Code, Findings, quote_excerpt},
    number::Number,
    value::{Entry, Expr, MAX_DEPTH, Value},
};

/// Validates arguments within a budget of steps, since many calls of a tool with many parameters could
/// take quadratic time.
#[derive(Debug)]
pub(super) struct Arguments {
    steps: usize,
}

const MAX_STEPS: usize = 1_000_000;
/// The limit on names that are compared with an unknown one for a suggestion.
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
        parameters: &Parameters,
        findings: &mut Findings,
    ) {
        let schema = &parameters.json;
        let missing = self.missing(call, schema);
        let properties = schema.get("properties").and_then(Json::as_object);
        let is_open = !matches!(schema.get("additionalProperties"), None | Some(Json::Bool(false)));
        let (mut unknown, mut is_fine) = (Vec::new(), missing.is_empty());
        for entry in call.arguments() {
            let Entry { key, expr, .. } = entry;
            if let Some(parameter) = properties.and_then(|properties| properties.get(key)) {
                if let Some(problem) = self.problem(parameter, expr, 0) {
                    is_fine = false;
                    let message = format!("the argument {} {problem}", quote_excerpt(key));
                    findings.add(Code::WrongArgument, expr.position, message);
                }
            } else if properties.is_some() && !is_open {
                is_fine = false;
                unknown.push(entry);
            }
        }
        match unknown.first() {
            Some(first) if !missing.is_empty() => {
                let message = swapped(tool, &unknown, &missing);
                findings.add(Code::UnknownArgument, first.position, message);
            }
            _ => {
                report_missing(call, tool, &missing, findings);
                report_unknown(tool, &unknown, properties, findings);
            }
        }
        if is_fine {
            self.validate(call, tool, parameters, findings);
        }
    }

    /// Validates the whole schema, after each argument matched its type.
    fn validate(
        &mut self,
        call: &Call<'_>,
        tool: &str,
        parameters: &Parameters,
        findings: &mut Findings,
    ) {
        let properties = parameters.json.get("properties").and_then(Json::as_object);
        let is_argument = |entry: &&Entry| {
            let is_named = properties.is_some_and(|properties| properties.contains_key(&entry.key));
            is_named || !matches!(entry.key.as_str(), "tool" | "id")
        };
        let mut given = Map::new();
        for Entry { key, expr, .. } in call.entries().iter().filter(is_argument) {
            let schema = properties.and_then(|properties| properties.get(key));
            let value = match schema {
                Some(schema) => self.intended_value(schema, expr, 0),
                None => expr.to_plain_json(),
            };
            given.insert(key.clone(), value);
        }
        // Arguments that would exceed the budget are not validated further.
        if self.steps == 0 || !self.spend(count_values(&parameters.json)) {
            return;
        }
        let Some(schema) = parameters.compiled() else { return };
        for issue in schema.fit(Json::Object(given)).issues {
            let entry = call.entries().iter().find_map(|entry| {
                let path = format_path(&[PathSegment::Key(entry.key.clone())]);
                let rest = issue.path.strip_prefix(&path)?;
                (rest.is_empty() || rest.starts_with(['.', '[']))
                    .then_some((entry, rest.to_owned()))
            });
            let problem = truncate(&issue.message, MAX_PROBLEM_BYTES);
            let (message, position) = match entry {
                Some((Entry { key, expr, .. }, rest)) => {
                    let place = truncate(&rest, MAX_PROBLEM_BYTES / 2);
                    let at =
                        if place.is_empty() { String::new() } else { format!(" at `{place}`") };
                    (
                        format!("the argument {} is wrong{at}: {problem}", quote_excerpt(key)),
                        expr.position,
                    )
                }
                None => {
                    let message =
                        format!("the arguments of {} are wrong: {problem}", quote_excerpt(tool));
                    (message, call.expr.position)
                }
            };
            findings.add(Code::WrongArgument, position, message);
        }
    }

    /// Converts a value to JSON as the schema has it: the matching value of an `enum`, the matching
    /// alternative.
    fn intended_value(&mut self, schema: &Json, expr: &Expr, depth: usize) -> Json {
        if depth > MAX_DEPTH || !self.spend(cost(expr)) {
            return expr.to_plain_json();
        }
        if let Some(allowed) = schema.get("enum").and_then(Json::as_array) {
            let same = allowed.iter().find(|json| self.is_same(json, expr));
            return same.cloned().unwrap_or_else(|| expr.to_plain_json());
        }
        for key in ["anyOf", "oneOf"] {
            let alternatives = schema.get(key).and_then(Json::as_array);
            let mut all = alternatives.into_iter().flatten();
            if let Some(fits) = all.find(|schema| self.problem(schema, expr, depth + 1).is_none()) {
                return self.intended_value(fits, expr, depth + 1);
            }
        }
        match (&expr.value, schema.get("items"), schema.get("properties")) {
            (Value::Array(items), Some(schema), _) => {
                items.iter().map(|item| self.intended_value(schema, item, depth + 1)).collect()
            }
            (Value::Object(object), _, Some(properties)) => {
                let member = |entry: &Entry| {
                    let value = match properties.get(&entry.key) {
                        Some(schema) => self.intended_value(schema, &entry.expr, depth + 1),
                        None => entry.expr.to_plain_json(),
                    };
                    (entry.key.clone(), value)
                };
                Json::Object(object.entries.iter().map(member).collect())
            }
            _ => expr.to_plain_json(),
        }
    }

    /// Returns the names of the arguments that a call lacks.
    fn missing<'s>(&mut self, call: &Call<'_>, schema: &'s Json) -> Vec<&'s str> {
        let required =
            schema.get("required").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        if !self.spend(required.len()) {
            return Vec::new();
        }
        let given: HashSet<&str> = call.entries().iter().map(|entry| entry.key.as_str()).collect();
        required.iter().filter_map(Json::as_str).filter(|name| !given.contains(name)).collect()
    }

    /// Describes why a value does not match a schema.
    fn problem(&mut self, schema: &Json, expr: &Expr, depth: usize) -> Option<String> {
        let schema = schema.as_object()?;
        if depth > MAX_DEPTH || !self.spend(cost(expr)) {
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
                // Properties that the schema does not name are looked up too.
                self.spend(object.entries.len()).then_some(())?;
                object.entries.iter().find_map(|entry| {
                    let problem =
                        self.problem(properties.get(&entry.key)?, &entry.expr, depth + 1)?;
                    Some(format!("is wrong: {} {problem}", quote_excerpt(&entry.key)))
                })
            }
            _ => None,
        }
    }

    fn none_of(&mut self, allowed: &[Json], expr: &Expr) -> Option<String> {
        if allowed.iter().any(|json| self.is_same(json, expr)) {
            return None;
        }
        let values: Vec<String> = allowed.iter().take(10).map(describe).collect();
        Some(format!("is none of {}", values.join(", ")))
    }

    /// Returns whether a value or its text equals a value of a schema. Returns true after the budget is
    /// used up.
    fn is_same(&mut self, json: &Json, expr: &Expr) -> bool {
        if !self.spend(cost(expr)) {
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
            (Value::Text(text), json) => scalar_text(json).is_some_and(|word| word == *text),
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

/// The limit on the names in one message.
const MAX_NAMES: usize = 10;

/// Returns the message about a call that has other arguments than it needs.
fn swapped(tool: &str, unknown: &[&Entry], missing: &[&str]) -> String {
    let names = |names: &mut dyn Iterator<Item = &str>| {
        names.take(MAX_NAMES).map(quote_excerpt).collect::<Vec<_>>().join(", ")
    };
    let given = names(&mut unknown.iter().map(|entry| entry.key.as_str()));
    let needed = names(&mut missing.iter().copied());
    let are_none = if unknown.len() == 1 { "is no parameter" } else { "are no parameters" };
    format!("{given} {are_none} of {}; it needs {needed}", quote_excerpt(tool))
}

fn report_missing(call: &Call<'_>, tool: &str, missing: &[&str], findings: &mut Findings) {
    for name in missing {
        let message = format!("{} needs the argument {}", quote_excerpt(tool), quote_excerpt(name));
        findings.add(Code::MissingArgument, call.expr.position, message);
    }
}

fn report_unknown(
    tool: &str,
    unknown: &[&Entry],
    properties: Option<&Map<String, Json>>,
    findings: &mut Findings,
) {
    for Entry { key, position, .. } in unknown {
        let names = properties.into_iter().flat_map(Map::keys).map(String::as_str);
        let may_suggest = findings.has_room(Code::UnknownArgument);
        let likely = may_suggest.then(|| closest_name(key, names.take(MAX_SUGGESTED))).flatten();
        let hint = likely.map(|likely| format!("; did you mean `{likely}`?")).unwrap_or_default();
        let message =
            format!("{} has no parameter {}{hint}", quote_excerpt(tool), quote_excerpt(key));
        findings.add(Code::UnknownArgument, *position, message);
    }
}

/// The limit on the length of a validator's message.
const MAX_PROBLEM_BYTES: usize = 150;

/// Counts the values in a JSON value.
fn count_values(json: &Json) -> usize {
    match json {
        Json::Array(items) => 1 + items.iter().map(count_values).sum::<usize>(),
        Json::Object(members) => 1 + members.values().map(count_values).sum::<usize>(),
        _ => 1,
    }
}

/// The cost in steps of examining a value, without nested values.
fn cost(expr: &Expr) -> usize {
    1 + expr.as_text().map_or(0, str::len) / 64
}

/// The limit on the length of a quoted number. Longer texts are not parsed as numbers.
const MAX_NUMBER_BYTES: usize = 1_000;

fn wrong_type(kinds: &Json, expr: &Expr) -> Option<String> {
    let list = kinds.as_array().map_or(std::slice::from_ref(kinds), Vec::as_slice);
    let mut kinds = list.iter().take(10).filter_map(Json::as_str).peekable();
    let first = *kinds.peek()?;
    let fits = kinds.any(|kind| matches_type(kind, expr));
    (!fits).then(|| format!("is {}, not of type `{first}`", expr.value.kind()))
}

/// Returns whether a value or its text is of a type. Unknown types accept any value.
fn matches_type(kind: &str, expr: &Expr) -> bool {
    let number = match &expr.value {
        Value::Number(number) => Some(number.clone()),
        Value::Text(text) if text.len() <= MAX_NUMBER_BYTES => Number::parse(text.trim()),
        _ => None,
    };
    let holds = |open: char| expr.as_text().is_some_and(|text| text.trim_start().starts_with(open));
    match kind {
        "string" => matches!(expr.value, Value::Text(_) | Value::Number(_) | Value::Bool(_)),
        "number" => number.is_some(),
        "integer" => number.as_ref().is_some_and(Number::is_whole),
        "boolean" => {
            matches!(expr.value, Value::Bool(_)) || matches!(expr.as_text(), Some("true" | "false"))
        }
        "array" => matches!(expr.value, Value::Array(_)) || holds('['),
        "object" => matches!(expr.value, Value::Object(_)) || holds('{'),
        "null" => matches!(expr.value, Value::Null) || expr.as_text() == Some("null"),
        _ => true,
    }
}

/// The text of a JSON number, boolean or null.
fn scalar_text(json: &Json) -> Option<String> {
    match json {
        Json::Number(number) => Some(Number::from(number).to_string()),
        Json::Bool(_) | Json::Null => Some(json.to_string()),
        _ => None,
    }
}

fn describe(json: &Json) -> String {
    match json {
        Json::String(text) => quote_excerpt(text),
        Json::Array(_) => "an array".to_owned(),
        Json::Object(_) => "an object".to_owned(),
        _ => quote_excerpt(&json.to_string()),
    }
}
