//! What is wrong with a value, in words that never repeat the value.

use jsonschema::{
    JsonType, ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use serde_json::Value;

use crate::issue::cut_text;

/// Says what would be right.
pub(super) fn of(error: &ValidationError<'_>) -> String {
    match error.kind() {
        Kind::Required { property } => format!("`{}` is required", text_of(property)),
        Kind::Type { kind } => wrong_type(&types(kind), error.instance()),
        Kind::Enum { options } => one_of(options.as_array().into_iter().flatten()),
        Kind::Constant { expected_value } => one_of([expected_value.as_ref()]),
        Kind::Pattern { pattern } => format!("must match the pattern `{pattern}`"),
        Kind::Format { format } => wrong_format(format),
        Kind::Minimum { limit } => format!("must be at least {limit}"),
        Kind::Maximum { limit } => format!("must be at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("must be more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("must be less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("must be a multiple of {multiple_of}"),
        Kind::MinLength { limit } => format!("must have at least {}", count(*limit, "character")),
        Kind::MaxLength { limit } => format!("must have at most {}", count(*limit, "character")),
        Kind::MinItems { limit } => format!("must have at least {}", count(*limit, "item")),
        Kind::MaxItems { limit } => format!("must have at most {}", count(*limit, "item")),
        Kind::AdditionalItems { limit } => {
            format!("must have at most {}", count(*limit as u64, "item"))
        }
        Kind::MinProperties { limit } => format!("must have at least {}", keys(*limit)),
        Kind::MaxProperties { limit } => format!("must have at most {}", keys(*limit)),
        Kind::UniqueItems => "the items must differ from each other".to_owned(),
        Kind::FalseSchema => "must be absent".to_owned(),
        Kind::OneOfMultipleValid { .. } => {
            "fits more than one of the forms that exclude each other".to_owned()
        }
        Kind::PropertyNames { error } => format!("a key is wrong: {}", of(error)),
        _ => error.masked().to_string(),
    }
}

/// "must be one of …", each as JSON; long lists are cut.
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

/// "expected string or null, got number".
pub(super) fn wrong_type(expected: &[&str], value: &Value) -> String {
    let wants_integer = expected.contains(&"integer") && !expected.contains(&"number");
    let got = match type_of(value) {
        "number" if wants_integer => "a number with a fraction",
        "integer" => "number",
        other => other,
    };
    format!("expected {}, got {got}", alternatives(expected))
}

/// The narrowest JSON type of a value.
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

/// "`a`, `b`, `c`".
pub(super) fn names<'n>(names: impl IntoIterator<Item = &'n String>) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

/// "a, b or c".
fn alternatives(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// How many allowed values an issue lists, and how much of each.
const MAX_OPTIONS: usize = 40;
const MAX_OPTION_BYTES: usize = 80;

fn short(value: &Value) -> String {
    let json = value.to_string();
    match cut_text(&json, MAX_OPTION_BYTES) {
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
        other => format!("must be a valid {other}"),
    }
}

fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

fn keys(number: u64) -> String {
    count(number, "key")
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
