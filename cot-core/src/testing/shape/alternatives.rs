//! The ways in which a value can fit several schemas at once.

use serde_json::{Map, Value};

/// The keywords of one object of a schema; `$ref`, `allOf`, `anyOf` and `oneOf` among them are dealt
/// with.
pub(super) type Keywords<'s> = &'s Map<String, Value>;

/// Schemas that a value has to fit all at once.
pub(super) type Way<'s> = Vec<Keywords<'s>>;

/// Most ways that are kept; a schema can multiply them without end.
const MAX_WAYS: usize = 256;
/// How many references are followed before a value is reached.
const MAX_REFERENCES: u32 = 32;

/// All ways in which a value can fit these schemas.
pub(super) fn of<'s>(root: &'s Value, schemas: &[&'s Value]) -> Vec<Way<'s>> {
    all_of(root, schemas.iter().copied(), MAX_REFERENCES)
}

fn all_of<'s>(
    root: &'s Value,
    schemas: impl IntoIterator<Item = &'s Value>,
    references: u32,
) -> Vec<Way<'s>> {
    let mut ways = vec![Vec::new()];
    for schema in schemas {
        ways = product(&ways, &of_one(root, schema, references));
    }
    ways
}

fn any_of<'s>(root: &'s Value, schemas: &'s [Value], references: u32) -> Vec<Way<'s>> {
    schemas.iter().flat_map(|schema| of_one(root, schema, references)).collect()
}

fn of_one<'s>(root: &'s Value, schema: &'s Value, references: u32) -> Vec<Way<'s>> {
    let keywords = match schema {
        Value::Object(keywords) => keywords,
        Value::Bool(false) => return Vec::new(),
        _ => return vec![Vec::new()],
    };
    let mut ways = vec![vec![keywords]];
    if let Some(Value::String(target)) = keywords.get("$ref") {
        let referred = match (resolve(root, target), references.checked_sub(1)) {
            (Some(target), Some(left)) => of_one(root, target, left),
            _ => Vec::new(),
        };
        ways = product(&ways, &referred);
    }
    if let Some(Value::Array(schemas)) = keywords.get("allOf") {
        ways = product(&ways, &all_of(root, schemas, references));
    }
    for branches in ["anyOf", "oneOf"] {
        if let Some(Value::Array(schemas)) = keywords.get(branches) {
            ways = product(&ways, &any_of(root, schemas, references));
        }
    }
    ways
}

fn product<'s>(some: &[Way<'s>], others: &[Way<'s>]) -> Vec<Way<'s>> {
    let pairs = some.iter().flat_map(|one| others.iter().map(move |other| (one, other)));
    pairs.take(MAX_WAYS).map(|(one, other)| [one.as_slice(), other].concat()).collect()
}

/// What a reference within a schema refers to.
fn resolve<'s>(root: &'s Value, target: &str) -> Option<&'s Value> {
    root.pointer(&percent_decoded(target.strip_prefix('#')?))
}

fn percent_decoded(text: &str) -> String {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = (*first == b'%').then(|| text_of(after.get(..2))).flatten();
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                rest = &after[2..];
            }
            None => {
                decoded.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn text_of(bytes: Option<&[u8]>) -> Option<&str> {
    std::str::from_utf8(bytes?).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_may_be_percent_encoded() {
        let root = json!({ "$defs": { "A<B>": { "const": 1 }, "a/b": { "const": 2 } } });
        assert_eq!(resolve(&root, "#/$defs/A%3CB%3E"), Some(&json!({ "const": 1 })));
        assert_eq!(resolve(&root, "#/$defs/a~1b"), Some(&json!({ "const": 2 })));
        assert_eq!(resolve(&root, "#"), Some(&root));
        assert_eq!(resolve(&root, "http://elsewhere"), None);
        assert_eq!(percent_decoded("100%, %4"), "100%, %4");
    }

    #[test]
    fn ways_multiply_within_bounds() {
        let pair = json!([{ "const": 1 }, { "const": 2 }]);
        let schema = json!({ "allOf": vec![json!({ "anyOf": pair }); 30] });
        assert_eq!(of(&schema, &[&schema]).len(), MAX_WAYS);
        let circle = json!({ "$ref": "#" });
        assert!(of(&circle, &[&circle]).is_empty());
        let either = json!({ "anyOf": [{ "$ref": "#" }, { "type": "null" }] });
        assert!(!of(&either, &[&either]).is_empty());
    }
}
