//! Merging the definitions of several schemas.

use cot_schema::OutputSchema;
use serde_json::{Map, Value};

/// Merges the definitions of several schemas. If different types have the same name, those of the later
/// schema are renamed.
#[derive(Debug, Default)]
pub struct Definitions<'s> {
    merged: Map<String, Value>,
    /// The embedded schemas, with the reference to each.
    embedded: Vec<(&'s OutputSchema, Value)>,
}

const PREFIX: &str = "#/$defs/";

impl<'s> Definitions<'s> {
    /// Adds the definitions of a schema, with `suffix` appended to their names if one is taken. Returns the
    /// schema to place inside the larger one.
    pub fn embed(&mut self, schema: &'s OutputSchema, suffix: &str) -> Value {
        let mut embedded = self.embedded.iter();
        if let Some((_, reference)) = embedded.find(|(known, _)| std::ptr::eq(*known, schema)) {
            return reference.clone();
        }
        let mut reference = schema.reference().clone();
        let definitions = schema.definitions();
        match self.suffix(definitions, suffix) {
            None => self.merged.extend(definitions.clone()),
            Some(suffix) => {
                let renamed =
                    |name: &str| definitions.contains_key(name).then(|| format!("{name}{suffix}"));
                rename(&mut reference, &renamed);
                for (name, mut definition) in definitions.clone() {
                    rename(&mut definition, &renamed);
                    self.merged.insert(format!("{name}{suffix}"), definition);
                }
            }
        }
        self.embedded.push((schema, reference.clone()));
        reference
    }

    /// Returns the definitions by name.
    pub fn into_map(self) -> Map<String, Value> {
        self.merged
    }

    /// Returns the suffix for all names, if one of them already denotes something else.
    fn suffix(&self, definitions: &Map<String, Value>, suffix: &str) -> Option<String> {
        let mut taken = definitions.iter().filter_map(|(name, definition)| {
            self.merged.get(name).filter(|other| *other != definition)
        });
        taken.next()?;
        let mut suffix = format!("_{suffix}");
        while definitions.keys().any(|name| self.merged.contains_key(&format!("{name}{suffix}"))) {
            suffix.push('_');
        }
        Some(suffix)
    }
}

/// Renames the references in a schema.
fn rename(schema: &mut Value, renamed: &dyn Fn(&str) -> Option<String>) {
    match schema {
        Value::Object(members) => {
            for (key, value) in members {
                match value {
                    Value::String(target) if key == "$ref" => {
                        if let Some(name) = target.strip_prefix(PREFIX).and_then(renamed) {
                            *target = format!("{PREFIX}{name}");
                        }
                    }
                    value => rename(value, renamed),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, renamed)),
        _ => {}
    }
}
