//! The rules of each vendor.

use serde_json::{Map, Value};

use crate::{
    limits::{Sizes, cycles, depth},
    pointers::{names, resolve, walk},
};

type Members = Map<String, Value>;

const META: [&str; 3] = ["title", "description", "$defs"];
const FORMATS: [&str; 9] =
    ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/// What OpenAI would refuse in strict mode.
#[must_use]
pub fn openai(root: &Value) -> Vec<String> {
    let mut wrong = keywords(
        root,
        &[
            "type",
            "enum",
            "const",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "anyOf",
            "$ref",
            "pattern",
            "format",
            "multipleOf",
            "maximum",
            "exclusiveMaximum",
            "minimum",
            "exclusiveMinimum",
            "minItems",
            "maxItems",
        ],
    );
    wrong.extend(references(root, |key| root.get("$defs").is_some() && key == "$defs"));
    if root["type"] != "object" || root.get("anyOf").is_some() {
        wrong.push("#: the root has to be an object".into());
    }
    walk("#", root, &mut |at, members| {
        wrong.extend(closed(members).map(|what| format!("{at}: {what}")));
        let properties = members.get("properties").and_then(Value::as_object);
        let required = names(members, "required");
        for name in properties.into_iter().flat_map(Map::keys) {
            if !required.contains(&name.as_str()) {
                wrong.push(format!("{at}: `{name}` is not required"));
            }
        }
        if is(members, "array") && !members.get("items").is_some_and(Value::is_object) {
            wrong.push(format!("{at}: an array without items"));
        }
        wrong.extend(untyped(members).then(|| format!("{at}: no type")));
        wrong.extend(format(members, &FORMATS).map(|what| format!("{at}: {what}")));
        wrong.extend(firsts(root, members).map(|what| format!("{at}: {what}")));
    });
    let sizes = Sizes::new(root);
    let depth = depth(root, root, &mut Vec::new());
    for (count, limit, what) in [
        (sizes.properties, 5000, "properties"),
        (sizes.values, 1000, "enum values"),
        (sizes.characters, 120_000, "characters"),
        (sizes.long_enum, 15_000, "characters of an enum"),
        (depth, 10, "levels"),
    ] {
        if count > limit {
            wrong.push(format!("#: {count} {what}"));
        }
    }
    wrong
}

/// What Anthropic would refuse.
#[must_use]
pub fn anthropic(root: &Value) -> Vec<String> {
    let mut wrong = keywords(
        root,
        &[
            "type",
            "enum",
            "const",
            "default",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "minItems",
            "anyOf",
            "$ref",
            "format",
            "pattern",
        ],
    );
    wrong.extend(references(root, |key| key == "$defs"));
    wrong.extend(cycles(root, false).into_iter().map(|name| format!("`{name}` is recursive")));
    if root["type"] != "object" {
        wrong.push("#: the input of a tool has to be an object".into());
    }
    let (mut optional, mut unions) = (0, 0);
    walk("#", root, &mut |at, members| {
        wrong.extend(closed(members).map(|what| format!("{at}: {what}")));
        let properties = members.get("properties").and_then(Value::as_object);
        optional += properties.map_or(0, Map::len) - names(members, "required").len();
        unions += usize::from(members.contains_key("anyOf"));
        if members.get("minItems").is_some_and(|least| least.as_u64() > Some(1)) {
            wrong.push(format!("{at}: minItems over 1"));
        }
        if members.get("type").is_some_and(Value::is_array) {
            wrong.push(format!("{at}: a list of types"));
        }
        let values = members.get("enum").and_then(Value::as_array);
        if values.into_iter().flatten().any(|value| value.is_array() || value.is_object()) {
            wrong.push(format!("{at}: an object in an enum"));
        }
        let pattern = members.get("pattern").and_then(Value::as_str).unwrap_or_default();
        if ["(?=", "(?!", "(?<", r"\b", r"\B", r"\1"].iter().any(|bad| pattern.contains(bad)) {
            wrong.push(format!("{at}: the pattern `{pattern}`"));
        }
        wrong.extend(untyped(members).then(|| format!("{at}: no type")));
        let formats: Vec<&str> = FORMATS.into_iter().chain(["uri"]).collect();
        wrong.extend(format(members, &formats).map(|what| format!("{at}: {what}")));
    });
    if optional > 24 || unions > 16 {
        wrong.push(format!("#: {optional} optional members and {unions} unions"));
    }
    wrong
}

/// What Gemini would refuse or ignore.
#[must_use]
pub fn gemini(root: &Value) -> Vec<String> {
    let mut wrong = keywords(
        root,
        &[
            "$ref",
            "type",
            "format",
            "enum",
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "minimum",
            "maximum",
            "anyOf",
            "properties",
            "additionalProperties",
            "required",
            "propertyOrdering",
        ],
    );
    wrong.extend(references(root, |key| key.starts_with('$')));
    let cycles = cycles(root, true);
    wrong.extend(cycles.into_iter().map(|name| format!("`{name}` is recursive and required")));
    walk("#", root, &mut |at, members| {
        let values = members.get("enum").and_then(Value::as_array);
        if values.into_iter().flatten().any(|value| !value.is_string() && !value.is_number()) {
            wrong.push(format!("{at}: an enum of something else than strings and numbers"));
        }
        let properties = members.get("properties").and_then(Value::as_object);
        let declared: Vec<&str> =
            properties.into_iter().flat_map(Map::keys).map(String::as_str).collect();
        if names(members, "propertyOrdering") != declared {
            wrong.push(format!("{at}: not all members are ordered as they are declared"));
        }
        if names(members, "required").iter().any(|name| !declared.contains(name)) {
            wrong.push(format!("{at}: a required member is not declared"));
        }
        if is(members, "string") {
            let formats = ["date-time", "date", "time"];
            wrong.extend(format(members, &formats).map(|what| format!("{at}: {what}")));
        }
    });
    wrong
}

/// What the converter of `llama.cpp` would refuse, ignore or misread.
#[must_use]
pub fn llama_cpp(root: &Value) -> Vec<String> {
    let mut wrong = guided(root);
    walk("#", root, &mut |at, members| {
        if members.contains_key("anyOf") && members.contains_key("properties") {
            wrong.push(format!("{at}: members beside a choice are ignored"));
        }
        if let Some(pattern) = members.get("pattern").and_then(Value::as_str) {
            let is_anchored = pattern.starts_with('^') && pattern.ends_with('$');
            if !is_anchored || [r"\d", r"\w", r"\s", "(?="].iter().any(|bad| pattern.contains(bad))
            {
                wrong.push(format!("{at}: the pattern `{pattern}`"));
            }
        }
        for bound in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
            if members.get(bound).is_some_and(|bound| !bound.is_i64() || !is(members, "integer")) {
                wrong.push(format!("{at}: `{bound}` is no integer of 64 bits"));
            }
        }
    });
    wrong
}

/// What one of the engines behind vLLM would refuse, ignore or misread.
#[must_use]
pub fn guided(root: &Value) -> Vec<String> {
    let mut wrong = keywords(
        root,
        &[
            "type",
            "enum",
            "const",
            "default",
            "properties",
            "required",
            "additionalProperties",
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "anyOf",
            "$ref",
            "format",
            "pattern",
            "minLength",
            "maxLength",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
        ],
    );
    wrong.extend(references(root, |key| META.contains(&key) || key == "default"));
    walk("#", root, &mut |at, members| {
        for bound in ["minLength", "maxLength", "minItems", "maxItems"] {
            if members.get(bound).is_some_and(|count| count.as_u64() > Some(2000)) {
                wrong.push(format!("{at}: `{bound}` is too large for a grammar"));
            }
        }
        if untyped(members) && !members.is_empty() {
            wrong.push(format!("{at}: no type, and yet not empty"));
        }
        let formats = ["date-time", "date", "time", "uuid"];
        wrong.extend(format(members, &formats).map(|what| format!("{at}: {what}")));
    });
    wrong
}

fn keywords(root: &Value, taken: &[&str]) -> Vec<String> {
    let mut wrong = Vec::new();
    walk("#", root, &mut |at, members| {
        for key in members.keys() {
            if !taken.contains(&key.as_str()) && !META.contains(&key.as_str()) {
                wrong.push(format!("{at}: `{key}` is not taken"));
            }
        }
    });
    wrong
}

fn references(root: &Value, may_stand_beside: impl Fn(&str) -> bool) -> Vec<String> {
    let mut wrong = Vec::new();
    walk("#", root, &mut |at, members| {
        let Some(reference) = members.get("$ref").and_then(Value::as_str) else {
            return;
        };
        if resolve(root, reference).is_none() {
            wrong.push(format!("{at}: nothing is at `{reference}`"));
        }
        let mut beside = members.keys().filter(|key| *key != "$ref");
        if let Some(key) = beside.find(|key| !may_stand_beside(key)) {
            wrong.push(format!("{at}: `{key}` stands beside a reference"));
        }
    });
    wrong
}

fn closed(members: &Members) -> Option<String> {
    let is_object = is(members, "object") || members.contains_key("properties");
    let is_open = members.get("additionalProperties") != Some(&Value::Bool(false));
    (is_object && is_open).then(|| "an open object".to_owned())
}

fn format(members: &Members, taken: &[&str]) -> Option<String> {
    let format = members.get("format")?.as_str()?;
    (!taken.contains(&format)).then(|| format!("the format `{format}`"))
}

fn untyped(members: &Members) -> bool {
    !["type", "anyOf", "$ref", "enum", "const"].iter().any(|key| members.contains_key(*key))
}

fn is(members: &Members, kind: &str) -> bool {
    members.get("type").is_some_and(|own| *own == kind)
}

/// Objects of a choice must not begin with the same member, unless its only value differs.
fn firsts(root: &Value, members: &Members) -> Option<String> {
    let branches = members.get("anyOf")?.as_array()?;
    let mut seen: Vec<(String, Option<&Value>)> = Vec::new();
    for branch in branches {
        let reference = branch.get("$ref").and_then(Value::as_str);
        let object = reference.and_then(|reference| resolve(root, reference)).unwrap_or(branch);
        let first = object.get("properties").and_then(|all| all.as_object()?.iter().next());
        let Some((name, schema)) = first else {
            continue;
        };
        let value =
            schema.get("const").or_else(|| match schema.get("enum")?.as_array()?.as_slice() {
                [only] => Some(only),
                _ => None,
            });
        for (other, its) in &seen {
            if other == name && (value.is_none() || its.is_none() || value == *its) {
                return Some(format!("two objects begin with `{name}`"));
            }
        }
        seen.push((name.clone(), value));
    }
    None
}
