//! Rewrites objects, maps, lists and tuples.

use serde_json::{Map, Value, json};

use super::{
    normal::SchemaMap,
    nullable::{never_null, nullable},
    rules::{Maps, Optional},
    sentence::describe,
    walk::Walker,
};

impl Walker<'_> {
    /// Rewrites an object with properties, or a map.
    pub(super) fn object(&mut self, node: &SchemaMap) -> SchemaMap {
        let no_members = Map::new();
        let members = node.get("properties").and_then(Value::as_object).unwrap_or(&no_members);
        match (others(node), members.is_empty()) {
            (Some(others), true) => self.map(node, &others),
            (Some(_), false) if self.rules.maps == Maps::Entries => {
                let engine = self.rules.engine;
                self.reject(format!(
                    "has both members of its own and any others, and {engine} takes closed objects only"
                ));
                SchemaMap::new()
            }
            (others, _) => self.members(node, members, others.as_ref()),
        }
    }

    fn members(
        &mut self,
        node: &SchemaMap,
        members: &SchemaMap,
        others: Option<&MapMembers<'_>>,
    ) -> SchemaMap {
        let required: Vec<&str> = strings(node.get("required")).collect();
        let mut properties = SchemaMap::new();
        for (name, schema) in members {
            let is_required = required.contains(&name.as_str());
            let member = self.below(&["properties", name], |walker| walker.schema(schema));
            properties.insert(name.clone(), self.member(member, is_required));
        }
        let all_required = self.rules.optional == Optional::Null;
        let is_kept = |name: &&String| all_required || required.contains(&name.as_str());
        let required: Vec<&String> = members.keys().filter(is_kept).collect();
        let order: Vec<&String> = members.keys().collect();
        let others = match others {
            Some(MapMembers { values, .. }) => {
                self.below(&["additionalProperties"], |walker| walker.schema(values))
            }
            None => json!(false),
        };
        let mut rewritten = SchemaMap::new();
        rewritten.insert("type".to_owned(), json!("object"));
        rewritten.insert("properties".to_owned(), Value::Object(properties));
        if !required.is_empty() || all_required {
            rewritten.insert("required".to_owned(), json!(required));
        }
        rewritten.insert("additionalProperties".to_owned(), others);
        if self.rules.adds_property_ordering && !order.is_empty() {
            rewritten.insert("propertyOrdering".to_owned(), json!(order));
        }
        self.constrain(node, &mut rewritten, &OBJECT);
        rewritten
    }

    fn member(&self, member: Value, is_required: bool) -> Value {
        match self.rules.optional {
            Optional::Null if !is_required => nullable(member),
            Optional::NeverNull if !is_required => never_null(member),
            _ => member,
        }
    }

    /// Rewrites a map: an object whose members all have the same schema.
    fn map(&mut self, node: &SchemaMap, others: &MapMembers<'_>) -> SchemaMap {
        let values = self.below(&["additionalProperties"], |walker| walker.schema(others.values));
        let mut rewritten = SchemaMap::new();
        let mut said = Vec::new();
        if self.rules.maps == Maps::Object {
            rewritten.insert("type".to_owned(), json!("object"));
            // Not all engines accept `{}` here.
            let values = if values == json!({}) { json!(true) } else { values };
            rewritten.insert("additionalProperties".to_owned(), values);
            said.extend(
                others
                    .keys
                    .map(|pattern| format!("Each key matches the regular expression `{pattern}`.")),
            );
        } else {
            let mut key = SchemaMap::from_iter([("type".to_owned(), json!("string"))]);
            let pattern = others.keys.map(|keys| ("pattern".to_owned(), json!(keys)));
            self.constrain(&SchemaMap::from_iter(pattern), &mut key, &[]);
            said.push("A map, as a list of its entries; no key twice.".to_owned());
            rewritten.insert("type".to_owned(), json!("array"));
            let entry = json!({
                "type": "object",
                "properties": { "key": key, "value": values },
                "required": ["key", "value"],
                "additionalProperties": false,
            });
            rewritten.insert("items".to_owned(), entry);
        }
        self.constrain(node, &mut rewritten, &OBJECT);
        describe(&mut rewritten, &said);
        rewritten
    }

    /// Rewrites a list or a tuple.
    pub(super) fn array(&mut self, node: &SchemaMap) -> SchemaMap {
        let mut rewritten = SchemaMap::from_iter([("type".to_owned(), json!("array"))]);
        let mut said = Vec::new();
        if let Some(Value::Array(places)) = node.get("prefixItems") {
            self.tuple(places, node.get("items"), &mut rewritten, &mut said);
        } else {
            let anything = json!(true);
            let items = node.get("items").unwrap_or(&anything);
            let items = self.below(&["items"], |walker| walker.schema(items));
            rewritten.insert("items".to_owned(), items);
        }
        self.constrain(node, &mut rewritten, &["type", "items", "prefixItems"]);
        describe(&mut rewritten, &said);
        rewritten
    }

    /// Rewrites a tuple as a tuple or, if that is not supported, as a list of a choice of its elements.
    fn tuple(
        &mut self,
        places: &[Value],
        rest: Option<&Value>,
        rewritten: &mut SchemaMap,
        said: &mut Vec<String>,
    ) {
        let mut items = Vec::new();
        for (index, place) in places.iter().enumerate() {
            let place = self.below(&["prefixItems"], |walker| {
                walker.item(index, |walker| walker.schema(place))
            });
            items.push(place);
        }
        let rest = rest.filter(|rest| **rest != false);
        if rest.is_none() && self.rules.keywords.contains(&"prefixItems") {
            rewritten.insert("prefixItems".to_owned(), Value::Array(items));
            return;
        }
        if let Some(rest) = rest {
            items.push(self.below(&["items"], |walker| walker.schema(rest)));
        }
        let kinds: Vec<&str> = items.iter().map(kind).collect();
        let mut distinct: Vec<Value> = Vec::new();
        for item in &items {
            if !distinct.contains(item) {
                distinct.push(item.clone());
            }
        }
        if distinct.len() > 1 {
            said.push(format!("In this order: {}.", kinds.join(", ")));
        }
        let any = match distinct.len() {
            1 => distinct.remove(0),
            _ => json!({ "anyOf": distinct }),
        };
        rewritten.insert("items".to_owned(), any);
    }
}

/// The schema of the members that an object doesn't name.
struct MapMembers<'v> {
    values: &'v Value,
    /// The pattern of the keys.
    keys: Option<&'v str>,
}

const OBJECT: [&str; 6] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "unevaluatedProperties",
];

fn others(node: &SchemaMap) -> Option<MapMembers<'_>> {
    let patterns = node.get("patternProperties").and_then(Value::as_object);
    let only = patterns.filter(|patterns| patterns.len() == 1).and_then(|one| one.iter().next());
    if let Some((pattern, values)) = only {
        return Some(MapMembers { values, keys: Some(pattern) });
    }
    let values = node.get("additionalProperties").filter(|others| **others != false)?;
    let keys = node.get("propertyNames").and_then(|names| names.get("pattern"));
    Some(MapMembers { values, keys: keys.and_then(Value::as_str) })
}

pub(super) fn strings(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Returns the name of the type of a tuple element, for descriptions.
fn kind(schema: &Value) -> &str {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|name| name.rsplit('/').next());
    name.or_else(|| schema.get("title")?.as_str())
        .or_else(|| schema.get("type")?.as_str())
        .unwrap_or("value")
}
