//! Maps that were written as lists of entries.

use std::borrow::Cow;

use cot_schema::internal::{Node, NodeId, Others, Step};
use serde_json::{Map, Value};

use super::{
    coercer::Coercer,
    outcome::{Form, Outcome, Part, Source},
};
use crate::repair::catalogue::RepairKind;

impl Coercer<'_> {
    /// A list of entries as a map: `[{"key": "a", "value": 1}]`.
    pub(super) fn entries(&mut self, node: &Node, items: &[Value], lossy: bool) -> Option<Outcome> {
        if !node.is_map() {
            return None;
        }
        let mut parts: Vec<(String, Part)> = Vec::with_capacity(items.len());
        let mut outcome = Outcome::default();
        let mut seen = fnv::FnvHashSet::default();
        for (index, item) in items.iter().enumerate() {
            let (key, name, value) = entry(item)?;
            let key = self.entry_key(node, key, &mut outcome);
            if !seen.insert(key.clone()) {
                return None;
            }
            let part = match value_node(node, &key)? {
                Place::Of(node) => self.coerce(node, value, lossy),
                Place::Free => self.same.clone(),
            };
            outcome.count(&part);
            let source = Source::Entry(index, name.to_owned());
            parts.push((key, Part { source, outcome: part }));
        }
        outcome.form = Form::Object(parts);
        outcome.note(RepairKind::EntriesForMap, None);
        Some(outcome)
    }

    /// The key in the form that the map wants.
    fn entry_key(&mut self, node: &Node, key: Cow<'_, str>, outcome: &mut Outcome) -> String {
        let key = key.into_owned();
        let Some(keys) = node.objects.keys else { return key };
        let value = self.keep(Value::String(key.clone()));
        let found = self.coerce(keys, &value, false);
        match &found.form {
            Form::New(Value::String(name)) if found.fits() => {
                let at = Some(Step::Key(name.clone()));
                outcome.note(RepairKind::EntryKey, at);
                name.clone()
            }
            _ => key,
        }
    }
}

/// Whether all items of a list are entries, and are written as engines are asked for them.
pub(super) fn all_entries(items: &[Value]) -> bool {
    let is_entry = |members: &Map<String, Value>| {
        members.len() == 2 && members.contains_key("key") && members.contains_key("value")
    };
    items.iter().all(|item| item.as_object().is_some_and(is_entry))
}

/// The key of an entry, and its value with the name that it has in it.
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

/// What the members of a map are.
enum Place {
    Of(NodeId),
    Free,
}

fn value_node(node: &Node, key: &str) -> Option<Place> {
    let text = Value::String(key.to_owned());
    let mut patterns = node.objects.patterns.iter();
    let pattern = patterns.find(|(validator, _)| validator.is_valid(&text));
    match (pattern, node.objects.others) {
        (Some((_, node)), _) => Some(Place::Of(*node)),
        (None, Others::Schema(node)) => Some(Place::Of(node)),
        (None, Others::Open) => Some(Place::Free),
        (None, Others::Closed) => None,
    }
}
