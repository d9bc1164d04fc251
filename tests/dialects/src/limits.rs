//! Sizes, depths and cycles.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::pointers::{children, names, resolve, walk};

/// What OpenAI counts.
#[derive(Debug, Default)]
pub(crate) struct Sizes {
    pub(crate) properties: usize,
    pub(crate) values: usize,
    pub(crate) characters: usize,
    /// The characters of the longest enum of more than 250 values.
    pub(crate) long_enum: usize,
}

impl Sizes {
    pub(crate) fn new(root: &Value) -> Self {
        let mut sizes = Self::default();
        walk("#", root, &mut |_, members| {
            for key in ["properties", "$defs"] {
                let names = members.get(key).and_then(Value::as_object);
                for name in names.into_iter().flat_map(|names| names.keys()) {
                    sizes.properties += usize::from(key == "properties");
                    sizes.characters += name.chars().count();
                }
            }
            let values = members.get("enum").and_then(Value::as_array).map_or(&[][..], |v| v);
            let strings = values.iter().filter_map(Value::as_str);
            let length: usize = strings.map(|value| value.chars().count()).sum();
            sizes.values += values.len();
            sizes.characters += length;
            if values.len() > 250 {
                sizes.long_enum = sizes.long_enum.max(length);
            }
        });
        sizes
    }
}

/// How deep objects are nested, a reference within itself counting once.
pub(crate) fn depth<'v>(root: &'v Value, schema: &'v Value, seen: &mut Vec<&'v str>) -> usize {
    let Some(members) = schema.as_object() else {
        return 0;
    };
    if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
        if seen.contains(&reference) {
            return 0;
        }
        seen.push(reference);
        let depth = resolve(root, reference).map_or(0, |target| depth(root, target, seen));
        seen.pop();
        return depth;
    }
    let inner = children(members).into_iter().filter(|(part, _)| !part.starts_with("/$defs"));
    let deepest = inner.map(|(_, schema)| depth(root, schema, seen)).max().unwrap_or_default();
    deepest + usize::from(members.contains_key("properties"))
}

/// The references that lead back to themselves; through required members alone, if so wished.
pub(crate) fn cycles(root: &Value, required_only: bool) -> Vec<String> {
    let Some(definitions) = root.get("$defs").and_then(Value::as_object) else {
        return Vec::new();
    };
    let leads_back = |name: &&String| {
        let start = format!("#/$defs/{name}");
        let mut open = references(&definitions[*name], required_only);
        let mut seen = BTreeSet::new();
        while let Some(next) = open.pop() {
            if next == start {
                return true;
            }
            if let Some(target) = resolve(root, next)
                && seen.insert(next)
            {
                open.extend(references(target, required_only));
            }
        }
        false
    };
    definitions.keys().filter(leads_back).cloned().collect()
}

fn references(schema: &Value, required_only: bool) -> Vec<&str> {
    let mut found = Vec::new();
    let mut open = vec![schema];
    while let Some(members) = open.pop().map(Value::as_object) {
        let Some(members) = members else {
            continue;
        };
        found.extend(members.get("$ref").and_then(Value::as_str));
        let required = names(members, "required");
        for (part, inner) in children(members) {
            let member = part.strip_prefix("/properties/");
            if !required_only || member.is_none_or(|name| required.contains(&name)) {
                open.push(inner);
            }
        }
    }
    found
}
