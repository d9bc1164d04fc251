//! Coerces lists of entries to maps.

use std::borrow::Cow;

use cot_schema::internal::{Node, NodeId, Others, PathSegment};
use serde_json::{Map, Value};

use super::{
    coercer::Coercer,
    outcome::{Form, Outcome, OutcomePart, Source},
};
use crate::repair::catalogue::RepairKind;

impl Coercer<'_> {
    /// Coerces a list of entries such as `[{"key": "a", "value": 1}]` to a map.
    pub(super) fn entries(&mut self, node: &Node, items: &[Value], lossy: bool) -> Option<Outcome> {
        if !node.is_map() {
            return None;
        }
        let mut parts: Vec<(String, OutcomePart)> = Vec::with_capacity(items.len());
        let mut outcome = Outcome::default();
        let mut seen = fnv::FnvHashSet::default();
        for (index, item) in items.iter().enumerate() {
            let (key, name, value) = entry(item)?;
            let key = self.entry_key(node, key, &mut outcome);
            if !seen.insert(key.clone()) {
                return None;
            }
            let part = match value_node(node, &key)? {
                EntrySchema::Node(node) => self.coerce(node, value, lossy),
                EntrySchema::Any => self.same.clone(),
            };
            outcome.count(&part);
            let source = Source::Entry(index, name.to_owned());
            parts.push((key, OutcomePart { source, outcome: part }));
        }
        outcome.form = Form::Object(parts);
        outcome.note(RepairKind::EntriesForMap, None);
        Some(outcome)
    }

    /// Coerces a key to the schema of the keys.
    fn entry_key(&mut self, node: &Node, key: Cow<'_, str>, outcome: &mut Outcome) -> String {
        let key = key.into_owned();
        let Some(keys) = node.objects.keys else { return key };
        let value = self.keep(Value::String(key.clone()));
        let found = self.coerce(keys, &value, false);
        match &found.form {
            Form::New(Value::String(name)) if found.fits() => {
                let at = Some(PathSegment::Key(name.clone()));
                outcome.note(RepairKind::EntryKey, at);
                name.clone()
            }
            _ => key,
        }
    }
}

/// Returns whether all items of a list are entries with exactly the members `key` and `value`.
pub(super) fn all_entries(items: &[Value]) -> bool {
    let is_entry = |members: &Map<String, Value>| {
        members.len() == 2 && members.contains_key("key") && members.contains_key("value")
    };
    items.iter().all(|item| item.as_object().is_some_and(is_entry))
}

/// Returns the key of an entry, and the name and value of its member that holds the value.
fn entry(item: &Value) -> Option<(Cow<'_, str>, &str, &Value)> {
    let members = item.as_object().filter(|members| members.len() == 2)?;
    let named = |names: &[&str]| members.iter().find(|(key, _)| names.contains(&key.as_str()));
    let (_, key) = named(&["key", "name"])?;
    let (name, value) = named(&["value"])?;
    let key = match key {
        Value::String(key) => Cow::Borrowed(key.as_str()),
        Value::Number(key) => Cow::Owned(key.to_string()),
        _ => return None,
    };
    Some((key, name, value))
}

/// The schema of a map value.
enum EntrySchema {
    Node(NodeId),
    Any,
}

fn value_node(node: &Node, key: &str) -> Option<EntrySchema> {
    let text = Value::String(key.to_owned());
    let mut patterns = node.objects.patterns.iter();
    let pattern = patterns.find(|(validator, _)| validator.is_valid(&text));
    match (pattern, node.objects.others) {
        (Some((_, node)), _) => Some(EntrySchema::Node(*node)),
        (None, Others::Schema(node)) => Some(EntrySchema::Node(node)),
        (None, Others::Open) => Some(EntrySchema::Any),
        (None, Others::Closed) => None,
    }
}
