//! The words of fields: labels of members, values and variants.

use cot_schema::internal::{Document, Place};
use serde_json::Value;

/// Returns the name of a member as words: `first_name` and `firstName` become `First name`.
pub(super) fn words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut previous = ' ';
    for c in name.chars() {
        let is_new_word =
            c.is_uppercase() && (previous.is_lowercase() || previous.is_ascii_digit());
        let is_gap = matches!(c, '_' | '-' | ' ') || is_new_word;
        if is_gap && !words.ends_with(' ') && !words.is_empty() {
            words.push(' ');
        }
        if !matches!(c, '_' | '-' | ' ') {
            match words.is_empty() {
                true => words.extend(c.to_uppercase()),
                false if is_new_word => words.extend(c.to_lowercase()),
                false => words.push(c),
            }
        }
        previous = c;
    }
    if words.trim().is_empty() { format!("“{name}”") } else { words.trim_end().to_owned() }
}

/// Returns a value as it is shown to be chosen.
pub(super) fn value(value: &Value) -> String {
    match value {
        Value::String(text) if text.is_empty() => "(empty text)".to_owned(),
        Value::String(text) => match text.chars().any(char::is_whitespace) {
            true => text.clone(),
            false => words(text),
        },
        Value::Bool(true) => "Yes".to_owned(),
        Value::Bool(false) => "No".to_owned(),
        other => other.to_string(),
    }
}

/// Returns the name of a JSON type for people.
pub(super) fn json_type(name: &str) -> &'static str {
    match name {
        "string" => "Text",
        "integer" => "Whole number",
        "number" => "Number",
        "boolean" => "Yes or no",
        "array" => "List",
        "object" => "Object",
        _ => "Value",
    }
}

/// Returns the label of a variant: its tag, its only member, its type, or what kind of JSON it is.
pub(super) fn variant<'s>(document: Document<'s>, branch: &Place<'s>) -> String {
    for (name, parts) in branch.properties.iter().filter(|(name, _)| branch.required.contains(name))
    {
        let options = Place::new(document, parts).options;
        if let Some([Value::String(tag)]) = options.as_deref() {
            return words(tag);
        }
        if branch.properties.len() == 1 && branch.is_closed {
            return words(name);
        }
    }
    if let Some(title) = branch.titles.first() {
        return words(title);
    }
    let kind = branch.keyword_values("type").find_map(Value::as_str);
    json_type(kind.unwrap_or_default()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_words() {
        assert_eq!(words("first_name"), "First name");
        assert_eq!(words("firstName"), "First name");
        assert_eq!(words("HTTPStatus"), "HTTPStatus");
        assert_eq!(words("is_good"), "Is good");
        assert_eq!(words("__"), "“__”");
        assert_eq!(words("ärger"), "Ärger");
    }
}
