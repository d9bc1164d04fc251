//! Converts validation errors to issues.

use jsonschema::{ValidationError, error::ValidationErrorKind as Kind};
use serde_json::Value;

use crate::{
    issue::{Issue, Issues},
    path::{self, push_key},
    suggest::closest_name,
    validate::message,
};

/// Maximum number of issues in a report. More would not help a model to correct its reply.
const MAX_ISSUES: usize = 20;

/// Maximum size of a reply that is explained: the number of its values times their depth. The validator
/// copies a value that matches no alternative once on each level.
const MAX_WORK: usize = 1_000_000;

/// Returns whether a reply is too large to be explained.
pub(in crate::validate) fn is_too_large(reply: &Value) -> bool {
    let (parts, depth) = size(reply);
    parts.saturating_mul(depth) > MAX_WORK
}

fn size(value: &Value) -> (usize, usize) {
    let add = |(parts, depth): (usize, usize), child: &Value| {
        let (more, deeper) = size(child);
        (parts + more, depth.max(deeper + 1))
    };
    match value {
        Value::Array(items) => items.iter().fold((1, 1), add),
        Value::Object(members) => members.values().fold((1, 1), add),
        Value::String(text) => (1 + text.len() / 100, 1),
        _ => (1, 1),
    }
}

/// Converts the validation errors of `reply` to issues, up to a maximum number.
pub(in crate::validate) fn issues<'r>(
    schema: &Value,
    reply: &Value,
    errors: impl Iterator<Item = ValidationError<'r>>,
) -> Issues {
    let mut explainer = Explainer { schema, reply, issues: Vec::new(), omitted: 0 };
    for error in errors {
        explainer.explain(&error);
    }
    if explainer.omitted > 0 {
        let more = format!("{} more problems", explainer.omitted);
        explainer.issues.push(Issue::new("$", more));
    }
    explainer.issues.into_iter().collect()
}

pub(super) struct Explainer<'a> {
    pub(super) schema: &'a Value,
    pub(super) reply: &'a Value,
    pub(super) issues: Vec<Issue>,
    pub(super) omitted: usize,
}

impl Explainer<'_> {
    pub(super) fn explain(&mut self, error: &ValidationError<'_>) {
        if self.issues.len() >= MAX_ISSUES {
            self.omitted += 1;
            return;
        }
        match error.kind() {
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                self.explain_branches(error, context);
            }
            Kind::AdditionalProperties { unexpected }
            | Kind::UnevaluatedProperties { unexpected } => self.explain_keys(error, unexpected),
            // The object that lacks a key is not the rejected value.
            Kind::Required { .. } => {
                self.issues.push(Issue::new(self.path(error), message::from_error(error)));
            }
            _ => self.add(self.path(error), message::from_error(error), error.instance()),
        }
    }

    fn explain_keys(&mut self, error: &ValidationError<'_>, unexpected: &[String]) {
        let known = self.known_keys(error);
        let parent = self.path(error);
        for key in unexpected {
            if self.issues.len() >= MAX_ISSUES {
                self.omitted += 1;
                continue;
            }
            let mut path = parent.clone();
            push_key(&mut path, key);
            let value = error.instance().get(key).unwrap_or(&Value::Null);
            self.add(path, unknown_key(key, &known), value);
        }
    }

    /// Returns the names of the properties in the schema of the rejected object.
    fn known_keys(&self, error: &ValidationError<'_>) -> Vec<String> {
        let object = error.schema_path().as_str().rsplit_once('/');
        object
            .and_then(|(pointer, _)| self.schema.pointer(pointer)?.get("properties")?.as_object())
            .map(|properties| properties.keys().cloned().collect())
            .unwrap_or_default()
    }

    pub(super) fn path(&self, error: &ValidationError<'_>) -> String {
        path::from_pointer(self.reply, error.instance_path().as_str())
    }

    pub(super) fn add(&mut self, path: String, message: String, value: &Value) {
        self.issues.push(Issue::new(path, message).value(value));
    }
}

fn unknown_key(key: &str, known: &[String]) -> String {
    match closest_name(key, known.iter().map(String::as_str)) {
        Some(name) => format!("unknown key; did you mean `{name}`?"),
        _ if known.is_empty() => "must be absent".to_owned(),
        _ => format!("unknown key; the known ones are {}", message::quoted_names(known)),
    }
}
