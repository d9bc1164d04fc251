//! The comments of types: descriptions and rules.

use serde_json::Value;

use crate::dialect::{
    normal::SchemaMap,
    sentence::{is_annotation, sentence},
};

/// Keywords that the form of a type shows.
const SHOWN: [&str; 12] = [
    "type",
    "enum",
    "anyOf",
    "$ref",
    "properties",
    "required",
    "additionalProperties",
    "unevaluatedProperties",
    "patternProperties",
    "items",
    "prefixItems",
    "not",
];

/// Bounds that are written together if a schema has both.
const PAIRS: [(&str, &str, &str); 4] = [
    ("minLength", "maxLength", " characters"),
    ("minItems", "maxItems", " items"),
    ("minProperties", "maxProperties", " members"),
    ("minimum", "maximum", ""),
];

/// Returns the description of a node and its rules as sentences.
pub(super) fn notes(node: &SchemaMap) -> Vec<String> {
    let description = node.get("description").and_then(Value::as_str).map(flat);
    let mut notes: Vec<String> = description.filter(|text| !text.is_empty()).into_iter().collect();
    for (least, most, unit) in PAIRS {
        if let (Some(least), Some(most)) = (node.get(least), node.get(most)) {
            notes.push(if least == most {
                format!("Exactly {least}{unit}.")
            } else {
                format!("From {least} to {most}{unit}.")
            });
        }
    }
    for (keyword, value) in node {
        let is_rest = !is_paired(keyword, node)
            && !is_width(keyword, value)
            && !is_zero_of_unsigned(keyword, node);
        if is_rest && (!SHOWN.contains(&keyword.as_str()) || keyword == "not") {
            notes.extend(rule(keyword, value));
        }
    }
    notes
}

fn rule(keyword: &str, value: &Value) -> Option<String> {
    let is_told = matches!(keyword, "default" | "examples" | "contentEncoding");
    if is_annotation(keyword) && !is_told {
        return None;
    }
    match sentence(keyword, value) {
        Some(sentence) => Some(flat(&sentence)),
        None if is_constraint(keyword) => Some(format!("A rule that is not shown: `{keyword}`.")),
        None => None,
    }
}

/// Returns whether a keyword without a sentence constrains a value: it is too long for one.
fn is_constraint(keyword: &str) -> bool {
    let of_any = ["not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems"];
    of_any.contains(&keyword) || keyword.starts_with("dependent")
}

fn is_paired(keyword: &str, node: &SchemaMap) -> bool {
    PAIRS.iter().any(|(least, most, _)| {
        (keyword == *least || keyword == *most)
            && node.contains_key(*least)
            && node.contains_key(*most)
    })
}

/// Returns whether a keyword names the Rust type of a number, whose bounds say what it accepts.
fn is_width(keyword: &str, value: &Value) -> bool {
    let widths = ["int", "uint", "float", "double"];
    let is_width = |format: &str| widths.iter().any(|width| format.starts_with(width));
    keyword == "format" && value.as_str().is_some_and(is_width)
}

/// Returns whether a bound says that an unsigned number is not negative. Small models give 0 where they read it.
fn is_zero_of_unsigned(keyword: &str, node: &SchemaMap) -> bool {
    let format = node.get("format").and_then(Value::as_str);
    let bound = node.get(keyword).and_then(Value::as_f64);
    keyword == "minimum" && bound == Some(0.0) && format.is_some_and(|it| it.starts_with("uint"))
}

/// Returns a text on one line, without control characters.
fn flat(text: &str) -> String {
    let is_left_out = |c: char| c.is_whitespace() || c.is_control() || changes_direction(c);
    let words: Vec<&str> = text.split(is_left_out).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

pub(super) fn changes_direction(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
