//! Checks a rewritten schema against the limits of its dialect.

use serde_json::{Map, Value};

use super::{
    error::DialectError,
    references::{definition_name, names_on_cycles},
    rules::{DialectRules, LONG_ENUM, Recursion},
    shapes::strings,
    walk::definition_path,
};

/// Returns the limits that a rewritten schema exceeds, and unsupported recursion.
pub(super) fn check(schema: &Value, rules: &DialectRules) -> Vec<DialectError> {
    let no_definitions = Map::new();
    let definitions = schema.get("$defs").and_then(Value::as_object).unwrap_or(&no_definitions);
    let mut problems = recursion(definitions, rules);
    let mut counts = Counts::default();
    counts.add(schema);
    let limits = rules.limits;
    counts.depth = Depth { definitions, most: limits.depth }.measure(schema, &mut Vec::new());
    let counted = [
        (counts.properties, limits.properties, "object members"),
        (counts.depth, limits.depth, "levels of objects within objects"),
        (counts.values, limits.values, "enum values"),
        (counts.characters, limits.characters, "characters of names and values"),
        (counts.characters_of_enum, limits.characters_of_enum, "characters in one long enum"),
        (counts.optional, limits.optional, "optional members"),
        (counts.unions, limits.unions, "choices between types, nullable ones included"),
    ];
    for (count, limit, what) in counted {
        if count > limit {
            let least = if what.starts_with("levels") { "at least " } else { "" };
            let engine = rules.engine;
            let reason = format!("has {least}{count} {what}, and {engine} takes {limit} at most");
            problems.push(DialectError { path: "$".to_owned(), reason });
        }
    }
    problems
}

#[derive(Debug, Default)]
struct Counts {
    properties: usize,
    depth: usize,
    values: usize,
    characters: usize,
    characters_of_enum: usize,
    optional: usize,
    unions: usize,
}

impl Counts {
    fn add(&mut self, schema: &Value) {
        let Value::Object(members) = schema else {
            return;
        };
        if let Some(Value::Object(properties)) = members.get("properties") {
            let required = strings(members.get("required")).count();
            self.properties += properties.len();
            self.optional += properties.len().saturating_sub(required);
            self.characters += characters(properties.keys().map(String::as_str));
            properties.values().for_each(|schema| self.add(schema));
        }
        if let Some(Value::Object(definitions)) = members.get("$defs") {
            self.characters += characters(definitions.keys().map(String::as_str));
            definitions.values().for_each(|schema| self.add(schema));
        }
        if let Some(Value::Array(values)) = members.get("enum") {
            let length = characters(values.iter().filter_map(Value::as_str));
            self.values += values.len();
            self.characters += length;
            if values.len() > LONG_ENUM {
                self.characters_of_enum = self.characters_of_enum.max(length);
            }
        }
        for keyword in ["anyOf", "prefixItems"] {
            if let Some(Value::Array(branches)) = members.get(keyword) {
                self.unions += usize::from(keyword == "anyOf");
                branches.iter().for_each(|schema| self.add(schema));
            }
        }
        for keyword in ["items", "additionalProperties"] {
            members.get(keyword).into_iter().for_each(|schema| self.add(schema));
        }
    }
}

fn characters<'t>(texts: impl Iterator<Item = &'t str>) -> usize {
    texts.map(|text| text.chars().count()).sum()
}

/// Measures the nesting depth of objects. A recursive type counts once.
struct Depth<'a> {
    definitions: &'a Map<String, Value>,
    /// The depth at which to stop.
    most: usize,
}

impl Depth<'_> {
    fn measure<'v>(&'v self, schema: &'v Value, within: &mut Vec<&'v str>) -> usize {
        if within.len() > self.most {
            return 0;
        }
        if let Some(name) = definition_name(schema) {
            if within.contains(&name) {
                return 0;
            }
            within.push(name);
            let depth = self.definitions.get(name).map_or(0, |target| self.measure(target, within));
            within.pop();
            return depth;
        }
        let mut deepest = 0;
        for (_, inner) in inner(schema) {
            deepest = deepest.max(self.measure(inner, within));
        }
        deepest + usize::from(schema.get("properties").is_some())
    }
}

/// Returns the direct subschemas of a schema, each with whether it is that of an optional member.
fn inner(schema: &Value) -> Vec<(bool, &Value)> {
    let required: Vec<&str> = strings(schema.get("required")).collect();
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut found: Vec<(bool, &Value)> = Vec::new();
    for (name, schema) in properties.into_iter().flatten() {
        found.push((!required.contains(&name.as_str()), schema));
    }
    for keyword in ["anyOf", "prefixItems"] {
        let branches = schema.get(keyword).and_then(Value::as_array);
        found.extend(branches.into_iter().flatten().map(|schema| (false, schema)));
    }
    for keyword in ["items", "additionalProperties"] {
        found.extend(schema.get(keyword).map(|schema| (false, schema)));
    }
    found
}

/// Returns the recursive definitions if the dialect doesn't support them.
fn recursion(definitions: &Map<String, Value>, rules: &DialectRules) -> Vec<DialectError> {
    let engine = rules.engine;
    let (passes_optional, reason) = match rules.recursion {
        Recursion::Everywhere => return Vec::new(),
        Recursion::Nowhere => {
            (true, format!("refers to itself, and {engine} takes no recursive schemas"))
        }
        Recursion::WithinOptional => (
            false,
            format!(
                "refers to itself through required members, and {engine} takes recursion in optional \
                 ones only"
            ),
        ),
    };
    let targets = definitions.iter();
    let targets =
        targets.map(|(name, schema)| (name.as_str(), targets_of(schema, passes_optional)));
    let recursive = names_on_cycles(&targets.collect());
    let names = definitions.keys().filter(|name| recursive.contains(name.as_str()));
    let problem =
        |name: &String| DialectError { path: definition_path(name), reason: reason.clone() };
    names.map(problem).collect()
}

/// Returns the definitions that a schema references, with or without those in optional members.
fn targets_of(schema: &Value, passes_optional: bool) -> Vec<&str> {
    let mut found = Vec::new();
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        found.extend(definition_name(schema));
        let inner = inner(schema).into_iter();
        open.extend(inner.filter(|(optional, _)| passes_optional || !optional).map(|(_, s)| s));
    }
    found
}
