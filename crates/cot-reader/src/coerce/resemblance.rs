//! Decides whether a value resembles a schema, so that it was probably meant for it.

use cot_schema::internal::{Node, NodeId, Others, PathSegment, Types};
use serde_json::{Map, Value};

use super::shape::CoercionGraph;

/// Maximum depth to which choices and lists are followed.
const MAX_DEPTH: usize = 12;
/// Maximum number of list items that are inspected.
const MAX_ITEMS: usize = 8;
/// Maximum number of nodes at a path, through choices.
const MAX_PLACES: usize = 200;

impl<'s> CoercionGraph<'s> {
    /// Returns whether a value resembles the schema: an object with a known key, a list of such objects, a
    /// scalar of an accepted type.
    pub fn resembles(self, value: &Value) -> bool {
        self.resembles_node(self.root(), value, MAX_DEPTH) || self.resembles_inside(value)
    }

    /// Returns whether the only part of a value resembles the schema, or the value resembles the only part
    /// of the schema.
    fn resembles_inside(self, value: &Value) -> bool {
        let inner = match value {
            Value::Object(members) if members.len() == 1 => members.values().next(),
            Value::Array(items) if items.len() == 1 => items.first(),
            _ => None,
        };
        if inner.is_some_and(|inner| {
            inner.is_object() && self.resembles_node(self.root(), inner, MAX_DEPTH)
        }) {
            return true;
        }
        let mut node = self.node(self.root());
        if let Some([only]) = node.map(|node| node.objects.properties.as_slice()) {
            if self.resembles_node(only.node, value, MAX_DEPTH) {
                return true;
            }
            node = self.node(only.node);
        }
        let items = node.and_then(|node| node.lists.items);
        value.is_object() && items.is_some_and(|items| self.resembles_node(items, value, MAX_DEPTH))
    }

    /// Returns whether the schema allows loss at a path.
    pub(crate) fn allows_loss(self, path: &[PathSegment]) -> bool {
        let mut places = vec![self.root()];
        for step in path {
            let mut next = Vec::new();
            for node in self.leaves(&places) {
                match step {
                    PathSegment::Key(key) => {
                        let property = node.objects.property(key).map(|(_, property)| property);
                        if property.is_some_and(|property| property.allows_loss) {
                            return true;
                        }
                        next.extend(property.map(|property| property.node));
                        next.extend(node.objects.patterns.iter().map(|(_, node)| *node));
                        next.extend(match node.objects.others {
                            Others::Schema(node) => Some(node),
                            Others::Open | Others::Closed => None,
                        });
                    }
                    PathSegment::Index(index) => next.extend(node.lists.item(*index)),
                }
            }
            next.sort_unstable();
            next.dedup();
            places = next;
        }
        false
    }

    /// Returns the nodes and all nodes that are reachable through their choices.
    pub(super) fn leaves(self, places: &[NodeId]) -> Vec<&'s Node> {
        let mut seen: Vec<NodeId> = Vec::new();
        let mut waiting = places.to_vec();
        while let Some(id) = waiting.pop() {
            if seen.len() < MAX_PLACES && !seen.contains(&id) {
                seen.push(id);
                let either = self.node(id).and_then(|node| node.either.as_ref());
                waiting.extend(either.into_iter().flat_map(|either| &either.branches));
            }
        }
        seen.into_iter().filter_map(|id| self.node(id)).collect()
    }

    /// Returns whether a value resembles a node.
    pub(super) fn resembles_node(self, id: NodeId, value: &Value, depth: usize) -> bool {
        let Some(node) = self.node(id) else { return false };
        if node.is_anything || depth == 0 {
            return true;
        }
        if let Some(either) = &node.either {
            let is_named = |name: &str| either.names.find_unique(name).is_some();
            let names = match value {
                Value::String(name) => is_named(name),
                Value::Object(members) if members.len() == 1 => {
                    members.keys().any(|key| is_named(key))
                }
                _ => false,
            };
            return names
                || either
                    .branches
                    .iter()
                    .any(|branch| self.resembles_node(*branch, value, depth - 1));
        }
        let is_taken = node.types.contains(Types::from_value(value));
        match value {
            Value::Object(members) => is_taken && has_similar_members(node, members),
            Value::Array(items) => {
                let mut items = items.iter().take(MAX_ITEMS).enumerate();
                is_taken
                    && items.all(|(index, item)| {
                        node.lists
                            .item(index)
                            .is_none_or(|id| self.resembles_node(id, item, depth - 1))
                    })
            }
            _ => {
                is_taken
                    || node.options.as_ref().is_some_and(|options| options.values.contains(value))
            }
        }
    }

    /// Returns whether a node accepts a JSON type, directly or through a choice.
    pub(super) fn takes(self, id: NodeId, types: Types) -> bool {
        self.leaves(&[id]).iter().any(|node| node.either.is_none() && node.types.contains(types))
    }

    /// Returns whether a node accepts any string, directly or through a choice.
    pub(super) fn takes_free_text(self, id: NodeId) -> bool {
        let is_free = |node: &&Node| {
            node.either.is_none() && node.options.is_none() && node.types.contains(Types::TEXT)
        };
        self.leaves(&[id]).iter().any(is_free)
    }

    /// Returns whether a key names a property of a node, directly or through a choice.
    pub(super) fn knows(self, id: NodeId, key: &str) -> bool {
        self.leaves(&[id]).iter().any(|node| node.objects.has_property(key))
    }

    /// Returns whether an object is not empty and all its keys name properties of a single node.
    pub(super) fn knows_all(self, id: NodeId, members: &Map<String, Value>) -> bool {
        let knows = |node: &&Node| members.keys().all(|key| node.objects.has_property(key));
        !members.is_empty() && self.leaves(&[id]).iter().any(knows)
    }
}

/// Returns whether an object shares a key with a node, or either has no keys to compare.
fn has_similar_members(node: &Node, members: &Map<String, Value>) -> bool {
    let properties = &node.objects.properties;
    let needs_none = || !properties.iter().any(|property| property.is_required);
    properties.is_empty() || shares_key(node, members) || (members.is_empty() && needs_none())
}

/// Returns whether any key of an object names a property of a node.
pub(super) fn shares_key(node: &Node, members: &Map<String, Value>) -> bool {
    members.keys().any(|key| node.objects.has_property(key))
}
