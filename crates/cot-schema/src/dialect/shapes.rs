//! Rewrites objects, maps, lists and tuples.

use serde_json::{Map, Value, json};

use super::{
    members::{OtherMembers, is_anything},
    normal::SchemaMap,
    nullable::{never_null, nullable},
    rules::{Anything, Maps, Optional},
    sentence::{describe, is_annotation, sentence},
    walk::Walker,
};

impl Walker<'_> {
    /// Rewrites an object with properties, or a map.
    pub(super) fn object(&mut self, node: &SchemaMap) -> SchemaMap {
        let named = node.get("properties").and_then(Value::as_object);
        let is_map = named.is_none_or(Map::is_empty);
        match (OtherMembers::from_schema(node), self.rules.maps) {
            _ if self.becomes_text(node) => self.text_of(node),
            (Some(others), Maps::Entries) if is_map => self.entries(node, &others),
            (Some(_), Maps::Entries) => {
                let engine = self.rules.engine;
                self.reject(format!(
                    "has both members of its own and any others, and {engine} takes closed objects only"
                ));
                SchemaMap::new()
            }
            (Some(others), Maps::Object) if is_map && !node.contains_key("required") => {
                self.map(node, &others)
            }
            (others, _) => self.members(node, named, others.as_ref()),
        }
    }

    fn members(
        &mut self,
        node: &SchemaMap,
        named: Option<&SchemaMap>,
        others: Option<&OtherMembers<'_>>,
    ) -> SchemaMap {
        let required: Vec<&str> = strings(node.get("required")).collect();
        let mut named = named.cloned().unwrap_or_default();
        if node.get("additionalProperties") != Some(&json!(false)) {
            // A required member is a member, with or without a schema of its own.
            let values = others.map_or(json!(true), |others| others.values.clone());
            required.iter().for_each(|name| {
                named.entry(*name).or_insert_with(|| values.clone());
            });
        }
        let mut properties = SchemaMap::new();
        for (name, schema) in &named {
            let is_required = required.contains(&name.as_str());
            let member = self.below(&["properties", name], |walker| walker.schema(schema));
            properties.insert(name.clone(), self.member(member, is_required));
        }
        let all_required = self.rules.optional == Optional::Null;
        let is_kept = |name: &&String| all_required || required.contains(&name.as_str());
        let required: Vec<&String> = named.keys().filter(is_kept).collect();
        let order: Vec<&String> = named.keys().collect();
        let others = others.map_or(json!(false), |others| self.other_values(others));
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

    /// Rewrites the schema of the members that an object doesn't name. That of any value is `true`, since not
    /// all engines accept `{}` here.
    fn other_values(&mut self, others: &OtherMembers<'_>) -> Value {
        if others.are_anything(&self.source) {
            return json!(true);
        }
        self.below(&["additionalProperties"], |walker| walker.schema(&others.values))
    }

    fn member(&self, member: Value, is_required: bool) -> Value {
        match self.rules.optional {
            Optional::Null if !is_required => nullable(member),
            Optional::NeverNull if !is_required => never_null(member),
            _ => member,
        }
    }

    /// Rewrites a map: an object whose members all have the same schema.
    fn map(&mut self, node: &SchemaMap, others: &OtherMembers<'_>) -> SchemaMap {
        let mut rewritten = SchemaMap::new();
        rewritten.insert("type".to_owned(), json!("object"));
        rewritten.insert("additionalProperties".to_owned(), self.other_values(others));
        self.constrain(node, &mut rewritten, &OBJECT);
        let said = others
            .keys
            .map(|pattern| format!("Each key matches the regular expression `{pattern}`."));
        describe(&mut rewritten, said.as_slice());
        rewritten
    }

    /// Rewrites a map as a list of its entries.
    fn entries(&mut self, node: &SchemaMap, others: &OtherMembers<'_>) -> SchemaMap {
        let values = self.below(&["additionalProperties"], |walker| walker.schema(&others.values));
        let mut key = SchemaMap::from_iter([("type".to_owned(), json!("string"))]);
        let pattern = others.keys.map(|keys| ("pattern".to_owned(), json!(keys)));
        self.constrain(&SchemaMap::from_iter(pattern), &mut key, &[]);
        let entry = json!({
            "type": "object",
            "properties": { "key": key, "value": values },
            "required": ["key", "value"],
            "additionalProperties": false,
        });
        let mut rewritten = SchemaMap::from_iter([
            ("type".to_owned(), json!("array")),
            ("items".to_owned(), entry),
        ]);
        self.constrain(node, &mut rewritten, &OBJECT);
        let required = node.get("required").and_then(|names| sentence("required", names));
        let said = ["A map, as a list of its entries; no key twice.".to_owned()];
        describe(&mut rewritten, &said.into_iter().chain(required).collect::<Vec<_>>());
        rewritten
    }

    /// Returns whether a schema is that of an object or a list of anything, which the dialect represents by the
    /// text of its JSON.
    fn becomes_text(&self, node: &SchemaMap) -> bool {
        let named = node.get("properties").and_then(Value::as_object);
        let items = node.get("items").unwrap_or(&Value::Bool(true));
        self.rules.anything == Anything::Text
            && match node.get("type").and_then(Value::as_str) {
                Some("object") => {
                    named.is_none_or(Map::is_empty)
                        && OtherMembers::from_schema(node)
                            .is_some_and(|it| it.are_anything(&self.source))
                }
                Some("array") => {
                    !node.contains_key("prefixItems") && is_anything(items, &self.source)
                }
                _ => false,
            }
    }

    /// Reports an object or a list of anything beside texts: the text of its JSON would be one of them.
    pub(super) fn check_beside_text(&mut self, node: &SchemaMap) {
        if self.is_beside_text && self.becomes_text(node) {
            let engine = self.rules.engine;
            self.reject(format!(
                "may be a text, or JSON of any kind, which {engine} takes as the text of it alone"
            ));
        }
    }

    fn text_of(&mut self, node: &SchemaMap) -> SchemaMap {
        self.check_beside_text(node);
        let kind = node.get("type").and_then(Value::as_str).unwrap_or_default();
        let mut said = vec![format!("Written as the text of a JSON {kind}.")];
        let constraints = node.iter().filter(|(keyword, _)| !is_annotation(keyword));
        said.extend(constraints.filter_map(|(keyword, value)| match keyword.as_str() {
            "items" => None,
            keyword => sentence(keyword, value),
        }));
        let mut rewritten = SchemaMap::from_iter([("type".to_owned(), json!("string"))]);
        describe(&mut rewritten, &said);
        rewritten
    }

    /// Rewrites a list or a tuple.
    pub(super) fn array(&mut self, node: &SchemaMap) -> SchemaMap {
        if self.becomes_text(node) {
            return self.text_of(node);
        }
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

const OBJECT: [&str; 6] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "unevaluatedProperties",
];

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
