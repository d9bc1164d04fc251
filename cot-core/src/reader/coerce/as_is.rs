//! Values that need nothing: most replies are what was asked for.

use serde_json::{Map, Value};

use super::{
    Shape,
    node::{Either, Node, NodeId, Objects, Types},
};

impl Shape {
    /// Whether a value stays as it is for certain, so that it need not be weighed. `false` says nothing.
    pub(super) fn takes_as_is(&self, id: NodeId, value: &Value) -> bool {
        let Some(node) = self.node(id) else { return true };
        if node.is_anything {
            return true;
        }
        if let Some(either) = &node.either {
            return self.is_unit(either, value);
        }
        if !node.types.have(Types::of(value)) {
            return false;
        }
        if let Some(options) = &node.options {
            return !value.is_object() && !value.is_array() && options.values.contains(value);
        }
        match value {
            Value::Object(members) => self.takes_members(&node.objects, members),
            Value::Array(items) => self.takes_items(node, items),
            _ => node.passes(value) && node.digits_of(value).is_none(),
        }
    }

    /// Whether a text is one of the names that alternatives are, each documented by itself.
    fn is_unit(&self, either: &Either, value: &Value) -> bool {
        if !value.is_string() {
            return false;
        }
        for node in either.branches.iter().filter_map(|branch| self.node(*branch)) {
            match &node.options {
                _ if node.either.is_some() => return false,
                Some(options) if options.values.contains(value) => return true,
                Some(_) => {}
                None if node.types == Types::NULL => {}
                None => return false,
            }
        }
        false
    }

    /// Members that are all known by their very names, with all that are required among them.
    fn takes_members(&self, objects: &Objects, members: &Map<String, Value>) -> bool {
        let is_known = |(key, value): (&String, &Value)| {
            let property = objects.property(key);
            property.is_some_and(|(_, property)| self.takes_as_is(property.node, value))
        };
        let mut required = objects.properties.iter().filter(|property| property.is_required);
        !members.is_empty()
            && required.all(|property| members.contains_key(&property.name))
            && members.iter().all(is_known)
    }

    fn takes_items(&self, node: &Node, items: &[Value]) -> bool {
        let lists = &node.lists;
        let takes = |(index, item): (usize, &Value)| {
            lists.item(index).is_none_or(|id| self.takes_as_is(id, item))
        };
        lists.allows(items.len()) && items.iter().enumerate().all(takes)
    }
}
