//! Reserved member names. A reply with one of them at the top level is read as a transition.

use fnv::FnvHashSet;
use serde_json::Value;

use crate::graph::document::Document;

/// A member of an output that has a reserved name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReservedKey {
    /// The name of the member.
    pub name: &'static str,
    /// The JSON pointer of its declaration in the schema.
    pub place: String,
}

const RESERVED: [&str; 3] = ["goTo", "intent", "stepAfter"];

/// Finds the first reserved member that values of the schema can have at the top level.
pub(super) fn find(schema: &Value) -> Option<ReservedKey> {
    find_in(Document::new(schema), schema, "#", &mut FnvHashSet::default())
}

fn find_in(
    document: Document<'_>,
    schema: &Value,
    place: &str,
    seen: &mut FnvHashSet<*const Value>,
) -> Option<ReservedKey> {
    if !seen.insert(schema) {
        return None;
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    let is_there = |name: &&str| properties.is_some_and(|members| members.contains_key(*name));
    if let Some(name) = RESERVED.into_iter().find(is_there) {
        return Some(ReservedKey { name, place: format!("{place}/properties/{name}") });
    }
    let target = schema.get("$ref").and_then(Value::as_str);
    let within = ["allOf", "anyOf", "oneOf"].into_iter().find_map(|key| {
        let mut branches = schema.get(key)?.as_array()?.iter().enumerate();
        branches.find_map(|(index, branch)| {
            find_in(document, branch, &format!("{place}/{key}/{index}"), seen)
        })
    });
    within.or_else(|| {
        let target = target?;
        find_in(document, document.target(target)?, target, seen)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn place(schema: &Value) -> Option<String> {
        let mut schema = schema.clone();
        schema["$defs"] = json!({
            "Step": { "type": "object", "properties": { "intent": {} } },
            "Tree": { "anyOf": [{ "$ref": "#/$defs/Tree" }, { "type": "object" }] },
        });
        find(&schema).map(|key| key.place)
    }

    #[test]
    fn a_member_is_found_where_it_is_at_the_top_of_a_value() {
        let found = |schema: Value| place(&schema);
        let own = json!({ "properties": { "goTo": {} } });
        assert_eq!(found(own).as_deref(), Some("#/properties/goTo"));
        let variant = json!({ "oneOf": [{ "type": "object" }, { "$ref": "#/$defs/Step" }] });
        assert_eq!(found(variant).as_deref(), Some("#/$defs/Step/properties/intent"));
        let all = json!({ "allOf": [{ "anyOf": [{ "properties": { "stepAfter": {} } }] }] });
        assert_eq!(found(all).as_deref(), Some("#/allOf/0/anyOf/0/properties/stepAfter"));
    }

    #[test]
    fn a_member_of_a_member_is_none() {
        let inside = json!({ "properties": { "step": { "$ref": "#/$defs/Step" } } });
        assert_eq!(place(&inside), None);
        assert_eq!(place(&json!({ "$ref": "#/$defs/Tree" })), None);
    }
}
