//! Coerces incomplete values.

use cot_schema::internal::{Either, Node, NodeId, Types};
use serde_json::{Map, Value};

use super::{assign::property_of, coercer::Coercer, shape::CoercionGraph};

/// Maximum nesting depth of choices.
const MAX_ALTERNATIVES: usize = 12;

impl<'s> CoercionGraph<'s> {
    /// Coerces an incomplete value. The innermost `open` values at its end are unfinished.
    ///
    /// Finished parts are coerced as usual. Unfinished values are never wrapped, unwrapped, filled in or
    /// dropped; only their keys are coerced.
    pub fn coerce_partial(self, value: Value, open: usize) -> Value {
        self.partial(self.root(), value, open, MAX_ALTERNATIVES)
    }

    fn partial(self, id: NodeId, value: Value, open: usize, alternatives: usize) -> Value {
        if open == 0 {
            return self.finished(id, value);
        }
        match (value, self.node(id)) {
            (value, None) => value,
            (value, Some(Node { either: Some(either), .. })) => {
                match self.determined_branch(either, &value, open).filter(|_| alternatives > 0) {
                    Some(branch) => self.partial(branch, value, open, alternatives - 1),
                    None => value,
                }
            }
            (Value::Object(members), Some(node)) => {
                Value::Object(self.partial_members(node, members, open))
            }
            (Value::Array(items), Some(node)) => {
                let last = items.len().saturating_sub(1);
                let items = items.into_iter().enumerate().map(|(index, item)| {
                    let open = if index == last { open - 1 } else { 0 };
                    match node.lists.item(index) {
                        Some(id) => self.partial(id, item, open, MAX_ALTERNATIVES),
                        None => item,
                    }
                });
                Value::Array(items.collect())
            }
            (value, Some(_)) => value,
        }
    }

    /// Coerces a finished part.
    fn finished(self, id: NodeId, value: Value) -> Value {
        let mut coercer = Coercer::new(self, &value);
        let outcome = coercer.coerce(id, &value, false);
        if outcome.is_same() { value } else { outcome.value(&value) }
    }

    fn partial_members(
        self,
        node: &Node,
        members: Map<String, Value>,
        open: usize,
    ) -> Map<String, Value> {
        let last = members.len().saturating_sub(1);
        let exact: Vec<bool> =
            node.objects.properties.iter().map(|p| members.contains_key(&p.name)).collect();
        let mut named = Map::new();
        for (position, (key, value)) in members.into_iter().enumerate() {
            let open = if position == last { open - 1 } else { 0 };
            let property = node.objects.property(&key).or_else(|| {
                let found = property_of(&node.objects, &key)?;
                let is_free = exact.get(found.index) == Some(&false);
                Some((found.index, node.objects.properties.get(found.index)?)).filter(|_| is_free)
            });
            match property {
                Some((_, property)) if !named.contains_key(&property.name) => {
                    let value = self.partial(property.node, value, open, MAX_ALTERNATIVES);
                    named.insert(property.name.clone(), value);
                }
                _ => _ = named.insert(key, value),
            }
        }
        named
    }

    /// Returns the branch that can already be determined: the one that the value names, or the only one of
    /// its type.
    fn determined_branch(self, either: &Either, value: &Value, open: usize) -> Option<NodeId> {
        // A tag that is the last member may be unfinished.
        let is_named = open < 2 || value.as_object().is_some_and(|members| members.len() > 1);
        let chosen = either.find_branch(value).filter(|_| is_named).map(|label| label.branch);
        chosen.or_else(|| {
            let possible = |branch: &&NodeId| self.takes(**branch, Types::from_value(value));
            let mut branches = either.branches.iter().filter(possible);
            branches.next().copied().filter(|_| branches.next().is_none())
        })
    }
}
