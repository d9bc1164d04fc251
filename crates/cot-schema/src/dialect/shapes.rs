//! Objects, maps, lists and tuples, rewritten.

use serde_json::{Map, Value, json};

use super::{
    nullable::{never_null, nullable},
    rules::{Maps, Optional},
    say::describe,
    walk::{Node, Walker},
};

impl Walker<'_> {
    /// An object with members of its own, or a map.
    pub(super) fn object(&mut self, node: &Node) -> Node {
        let no_members = Map::new();
        let members = node.get("properties").and_then(Value::as_object).unwrap_or(&no_members);
        match (others(node), members.is_empty()) {
            (Some(others), true) => self.map(node, &others),
            (Some(_), false) if self.rules.maps == Maps::Entries => {
                let taker = self.rules.taker;
                self.refuse(format!(
                    "has both members of its own and any others, and {taker} takes closed objects only"
                ));
                Node::new()
            }
            (others, _) => self.members(node, members, others.as_ref()),
        }
    }

    fn members(&mut self, node: &Node, members: &Node, others: Option<&Others<'_>>) -> Node {
        let required: Vec<&str> = strings(node.get("required")).collect();
        let mut properties = Node::new();
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
            Some(Others { values, .. }) => {
                self.below(&["additionalProperties"], |walker| walker.schema(values))
            }
            None => json!(false),
        };
        let mut rewritten = Node::new();
        rewritten.insert("type".to_owned(), json!("object"));
        rewritten.insert("properties".to_owned(), Value::Object(properties));
        if !required.is_empty() || all_required {
            rewritten.insert("required".to_owned(), json!(required));
        }
        rewritten.insert("additionalProperties".to_owned(), others);
        if self.rules.tells_order && !order.is_empty() {
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

    /// An object with any members, each with a value of one type.
    fn map(&mut self, node: &Node, others: &Others<'_>) -> Node {
        let values = self.below(&["additionalProperties"], |walker| walker.schema(others.values));
        let mut rewritten = Node::new();
        let mut said = Vec::new();
        if self.rules.maps == Maps::Object {
            rewritten.insert("type".to_owned(), json!("object"));
            // What takes any value is better said than written: not everybody takes `{}` here.
            let values = if values == json!({}) { json!(true) } else { values };
            rewritten.insert("additionalProperties".to_owned(), values);
            said.extend(
                others
                    .keys
                    .map(|pattern| format!("Each key matches the regular expression `{pattern}`.")),
            );
        } else {
            let mut key = Node::from_iter([("type".to_owned(), json!("string"))]);
            let pattern = others.keys.map(|keys| ("pattern".to_owned(), json!(keys)));
            self.constrain(&Node::from_iter(pattern), &mut key, &[]);
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

    /// A list, or a tuple.
    pub(super) fn array(&mut self, node: &Node) -> Node {
        let mut rewritten = Node::from_iter([("type".to_owned(), json!("array"))]);
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

    /// A tuple, or a list of what may stand in any of its places.
    fn tuple(
        &mut self,
        places: &[Value],
        rest: Option<&Value>,
        rewritten: &mut Node,
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

/// What else an object may have beside its own members.
struct Others<'v> {
    values: &'v Value,
    /// The regular expression that the keys match.
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

fn others(node: &Node) -> Option<Others<'_>> {
    let patterns = node.get("patternProperties").and_then(Value::as_object);
    let only = patterns.filter(|patterns| patterns.len() == 1).and_then(|one| one.iter().next());
    if let Some((pattern, values)) = only {
        return Some(Others { values, keys: Some(pattern) });
    }
    let values = node.get("additionalProperties").filter(|others| **others != false)?;
    let keys = node.get("propertyNames").and_then(|names| names.get("pattern"));
    Some(Others { values, keys: keys.and_then(Value::as_str) })
}

pub(super) fn strings(list: Option<&Value>) -> impl Iterator<Item = &str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// What kind of value stands in the place of a tuple, in a word.
fn kind(schema: &Value) -> &str {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|name| name.rsplit('/').next());
    name.or_else(|| schema.get("title")?.as_str())
        .or_else(|| schema.get("type")?.as_str())
        .unwrap_or("value")
}
