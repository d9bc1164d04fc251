//! Rewrites choices and enums.

use serde_json::{Map, Value, json};

use super::{
    normal::SchemaMap,
    nullable::null_schema,
    rules::Values,
    sentence::{describe, is_annotation, joined},
    walk::{ALL_TYPES, Walker},
};

impl Walker<'_> {
    /// Rewrites a choice between schemas.
    pub(super) fn union(&mut self, node: &SchemaMap) -> SchemaMap {
        let mut branches = Vec::new();
        let takes_text = self.is_beside_text || self.source.takes_text(node);
        self.below(&["anyOf"], |walker| {
            walker.beside_text(takes_text, |walker| {
                for (index, branch) in list(node.get("anyOf")).iter().enumerate() {
                    walker.item(index, |walker| walker.branches(branch, &mut branches));
                }
            });
        });
        one_of(branches, |words| self.listed(&words))
    }

    /// Rewrites a branch and adds it to `branches`. A nested choice is flattened.
    fn branches(&mut self, branch: &Value, branches: &mut Vec<UnionBranch>) {
        let node = match self.source.normal(branch) {
            Ok(node) => node,
            Err(reason) => return self.reject(reason),
        };
        if node.len() == 1
            && let Some(Value::Array(inner)) = node.get("anyOf")
        {
            return self.deeper(|walker| {
                inner.iter().for_each(|branch| walker.branches(branch, branches));
            });
        }
        branches.push(match Words::from_schema(&node) {
            Some(words) => UnionBranch::Words(words),
            None => UnionBranch::Schema(self.node(node)),
        });
    }

    /// Rewrites an `enum`.
    pub(super) fn values(&mut self, node: &SchemaMap) -> SchemaMap {
        self.listed(&Words { values: list(node.get("enum")).to_vec(), said: Vec::new() })
    }

    fn listed(&mut self, words: &Words) -> SchemaMap {
        let of = |is: fn(&Value) -> bool| -> Vec<Value> {
            words.values.iter().filter(|value| is(value)).cloned().collect()
        };
        let mut branches = Vec::new();
        let strings = of(Value::is_string);
        if !strings.is_empty() {
            branches.push(json!({ "type": "string", "enum": strings }));
        }
        let numbers = of(Value::is_number);
        if !numbers.is_empty() {
            let is_whole = numbers.iter().all(|number| number.is_i64() || number.is_u64());
            let kind = if is_whole { "integer" } else { "number" };
            branches.push(json!({ "type": kind, "enum": numbers }));
        }
        branches.extend(self.truths(&of(Value::is_boolean)));
        if !of(Value::is_null).is_empty() {
            branches.push(null_schema());
        }
        let rest = of(|value| value.is_array() || value.is_object());
        if !rest.is_empty() && self.rules.values != Values::All {
            let engine = self.rules.engine;
            self.reject(format!("lists a list or an object, and {engine} takes plain values only"));
        } else if !rest.is_empty() {
            branches.push(json!({ "enum": rest }));
        }
        let mut node = choice(branches);
        describe(&mut node, &words.said);
        node
    }

    fn truths(&self, truths: &[Value]) -> Option<Value> {
        Some(match truths {
            [] => return None,
            [only] if self.rules.values == Values::Words => {
                json!({ "type": "boolean", "description": format!("Always {only}.") })
            }
            [only] => json!({ "type": "boolean", "enum": [only] }),
            _ => json!({ "type": "boolean" }),
        })
    }

    /// Rewrites a schema with a list of types as a choice.
    pub(super) fn types(&mut self, node: &SchemaMap, types: &[Value]) -> SchemaMap {
        let mut branches = Vec::new();
        for kind in types.iter().filter_map(Value::as_str) {
            let of_kind = |keyword: &str| !is_annotation(keyword) && concerns(keyword, kind);
            let mut one: SchemaMap = node
                .iter()
                .filter(|(keyword, _)| of_kind(keyword))
                .map(|(keyword, value)| (keyword.clone(), value.clone()))
                .collect();
            one.insert("type".to_owned(), json!(kind));
            let takes_text = self.is_beside_text || types.iter().any(|kind| kind == "string");
            branches.push(self.beside_text(takes_text, |walker| walker.node(one)));
        }
        choice(branches)
    }
}

enum UnionBranch {
    Words(Words),
    Schema(Value),
}

/// An enum of strings, with sentences about them.
struct Words {
    values: Vec<Value>,
    said: Vec<String>,
}

impl Words {
    fn from_schema(node: &SchemaMap) -> Option<Self> {
        let values = list(node.get("enum"));
        let is_bare = node.keys().all(|key| matches!(&**key, "enum" | "type" | "description"));
        if values.is_empty() || !is_bare || !values.iter().all(Value::is_string) {
            return None;
        }
        let text = node.get("description").and_then(Value::as_str);
        let names: Vec<_> =
            values.iter().filter_map(Value::as_str).map(|name| format!("`{name}`")).collect();
        let said = text.map(|text| joined(&format!("{}: {}", names.join(", "), text.trim()), ""));
        let said = said.map(|said| said.trim_end().to_owned());
        Some(Self { values: values.to_vec(), said: said.into_iter().collect() })
    }
}

/// Combines branches into a choice. All enums of strings are merged into one, at the position of the first.
fn one_of(branches: Vec<UnionBranch>, listed: impl FnOnce(Words) -> SchemaMap) -> SchemaMap {
    let mut words = Words { values: Vec::new(), said: Vec::new() };
    let mut place = None;
    let mut schemas = Vec::new();
    for branch in branches {
        match branch {
            UnionBranch::Schema(schema) => schemas.push(schema),
            UnionBranch::Words(Words { values, said }) => {
                place.get_or_insert(schemas.len());
                words.said.extend(said);
                values.into_iter().for_each(|value| {
                    if !words.values.contains(&value) {
                        words.values.push(value);
                    }
                });
            }
        }
    }
    if let Some(place) = place {
        schemas.insert(place, Value::Object(listed(words)));
    }
    choice(schemas)
}

/// Combines rewritten schemas into a choice, without duplicates and nested choices.
fn choice(schemas: Vec<Value>) -> SchemaMap {
    let mut branches: Vec<Value> = Vec::new();
    for schema in schemas {
        match schema {
            // A branch that accepts any value makes the others redundant.
            Value::Object(anything) if is_every_type(&anything) => return anything,
            Value::Object(mut inner) if inner.len() == 1 && inner.contains_key("anyOf") => {
                let inner = inner.shift_remove("anyOf");
                list(inner.as_ref()).iter().for_each(|branch| add(&mut branches, branch.clone()));
            }
            schema => add(&mut branches, schema),
        }
    }
    match (branches.len(), branches.pop()) {
        (1, Some(Value::Object(only))) => only,
        (_, last) => {
            branches.extend(last);
            Map::from_iter([("anyOf".to_owned(), Value::Array(branches))])
        }
    }
}

fn is_every_type(schema: &SchemaMap) -> bool {
    schema.is_empty() || schema.get("type").is_some_and(|types| *types == json!(ALL_TYPES))
}

fn add(branches: &mut Vec<Value>, branch: Value) {
    if !branches.contains(&branch) {
        branches.push(branch);
    }
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns whether a keyword constrains values of a JSON type.
pub(crate) fn concerns(keyword: &str, kind: &str) -> bool {
    match keyword {
        "minLength" | "maxLength" | "pattern" | "format" => kind == "string",
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            matches!(kind, "number" | "integer")
        }
        "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" | "contains"
        | "minContains" | "maxContains" | "unevaluatedItems" => kind == "array",
        "properties"
        | "required"
        | "additionalProperties"
        | "patternProperties"
        | "minProperties"
        | "maxProperties"
        | "propertyNames"
        | "unevaluatedProperties"
        | "dependentRequired"
        | "dependentSchemas" => kind == "object",
        _ => true,
    }
}
