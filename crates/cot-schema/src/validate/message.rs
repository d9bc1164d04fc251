//! Messages for validation errors. They never repeat the value.

use std::collections::HashMap;

use jsonschema::{
    JsonType, ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use serde_json::Value;

use crate::{suggest::closest_name, text::truncate};

/// Returns the message for a validation error: what is expected instead.
pub(super) fn from_error(error: &ValidationError<'_>) -> String {
    match error.kind() {
        Kind::Required { property } => format!("`{}` is required", text_of(property)),
        Kind::Type { kind } => wrong_type(&types(kind), error.instance()),
        Kind::Enum { options } => {
            let options = options.as_array().map_or(&[][..], Vec::as_slice);
            one_of(options) + &did_you_mean(options, error.instance())
        }
        Kind::Constant { expected_value } => one_of([expected_value.as_ref()]),
        Kind::Pattern { pattern } => format!("must match the pattern `{pattern}`"),
        Kind::Format { format } => wrong_format(format),
        Kind::Minimum { limit } => format!("must be at least {limit}"),
        Kind::Maximum { limit } => format!("must be at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("must be more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("must be less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("must be a multiple of {multiple_of}"),
        Kind::MinLength { limit } => at_least(*limit, "character", error.instance()),
        Kind::MaxLength { limit } => at_most(*limit, "character", error.instance()),
        Kind::MinItems { limit } => at_least(*limit, "item", error.instance()),
        Kind::MaxItems { limit } => at_most(*limit, "item", error.instance()),
        Kind::AdditionalItems { limit } => at_most(*limit as u64, "item", error.instance()),
        Kind::MinProperties { limit } => at_least(*limit, "key", error.instance()),
        Kind::MaxProperties { limit } => at_most(*limit, "key", error.instance()),
        Kind::UniqueItems => not_unique(error.instance()),
        Kind::Contains => "lacks an item that it must have".to_owned(),
        Kind::Not { .. } => "is of a form that is excluded".to_owned(),
        Kind::FalseSchema => "must be absent".to_owned(),
        Kind::OneOfMultipleValid { .. } => {
            "fits more than one of the forms that exclude each other".to_owned()
        }
        Kind::PropertyNames { error } => format!("a key is wrong: {}", from_error(error)),
        _ => error.masked().to_string(),
    }
}

/// Formats "must be one of …" with the options as JSON. Long lists are truncated.
pub(super) fn one_of<'v>(options: impl IntoIterator<Item = &'v Value>) -> String {
    let mut options = options.into_iter();
    let mut shown: Vec<String> = options.by_ref().take(MAX_OPTIONS).map(short).collect();
    if options.next().is_some() {
        shown.push("…".to_owned());
    }
    match shown.as_slice() {
        [only] => format!("must be {only}"),
        _ => format!("must be one of {}", shown.join(", ")),
    }
}

/// Formats "expected string or null, got number".
pub(super) fn wrong_type(expected: &[&str], value: &Value) -> String {
    let wants_integer = expected.contains(&"integer") && !expected.contains(&"number");
    let got = match type_of(value) {
        "number" if wants_integer => "a number with a fraction",
        "integer" => "number",
        other => other,
    };
    format!("expected {}, got {got}", alternatives(expected))
}

/// Returns the narrowest JSON type of a value.
pub(super) fn type_of(value: &Value) -> &'static str {
    let is_whole = |number: f64| number.fract() == 0.0;
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.as_f64().is_some_and(is_whole) => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Formats a list of names as "`a`, `b`, `c`".
pub(super) fn quoted_names<'n>(names: impl IntoIterator<Item = &'n String>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

/// Formats a list of words as "a, b or c".
fn alternatives(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// Maximum number of options in a message.
const MAX_OPTIONS: usize = 40;
/// Maximum length of an option in a message.
const MAX_OPTION_BYTES: usize = 80;

fn short(value: &Value) -> String {
    let json = value.to_string();
    match truncate(&json, MAX_OPTION_BYTES) {
        whole if whole.len() == json.len() => json,
        cut => format!("{cut}…"),
    }
}

fn types(kind: &TypeKind) -> Vec<&'static str> {
    let mut types: Vec<_> = match kind {
        TypeKind::Single(one) => vec![one.as_str()],
        TypeKind::Multiple(several) => several.iter().map(JsonType::as_str).collect(),
    };
    // `null` reads best as the last resort: "string or null".
    types.sort_by_key(|name| *name == "null");
    types
}

fn wrong_format(format: &str) -> String {
    match format {
        "email" => "must be an email address".to_owned(),
        "uri" => "must be a URL".to_owned(),
        "ip" | "ipv4" | "ipv6" => format!("must be an {} address", format.replace("ip", "IP")),
        "date-time" => "must be a date and time like `2024-01-31T12:00:00Z`".to_owned(),
        "date" => "must be a date like `2024-01-31`".to_owned(),
        "time" => "must be a time like `12:00:00Z`".to_owned(),
        "duration" => "must be a duration like `P1DT12H`".to_owned(),
        "uuid" => "must be a UUID like `123e4567-e89b-12d3-a456-426614174000`".to_owned(),
        other => format!("must be a valid {other}"),
    }
}

/// Formats "must have at least 3 characters, has 1". The actual size helps, since models don't count well.
fn at_least(limit: u64, noun: &str, value: &Value) -> String {
    format!("must have at least {}{}", count(limit, noun), has(value))
}

fn at_most(limit: u64, noun: &str, value: &Value) -> String {
    format!("must have at most {}{}", count(limit, noun), has(value))
}

fn has(value: &Value) -> String {
    let size = match value {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => return String::new(),
    };
    format!(", has {size}")
}

/// Suggests the option that a misspelled text probably means.
fn did_you_mean(options: &[Value], value: &Value) -> String {
    let texts = options.iter().filter_map(Value::as_str);
    match value.as_str().and_then(|text| closest_name(text, texts)) {
        Some(option) => format!("; did you mean {option:?}?"),
        None => String::new(),
    }
}

fn not_unique(value: &Value) -> String {
    let mut seen = HashMap::new();
    let items = value.as_array().into_iter().flatten().take(MAX_COMPARED).enumerate();
    let twice =
        items.filter_map(|(at, item)| Some((seen.insert(item.to_string(), at)?, at))).next();
    match twice {
        Some((first, second)) => {
            format!("the items must differ from each other; [{first}] and [{second}] are the same")
        }
        None => "the items must differ from each other".to_owned(),
    }
}

/// Maximum number of items that are searched for duplicates.
const MAX_COMPARED: usize = 1000;

fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
