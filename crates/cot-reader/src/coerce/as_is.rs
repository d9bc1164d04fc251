//! The fast path for values that need no coercion, which are most.

use std::borrow::Cow;

use cot_schema::internal::{Either, Node, NodeId, Objects, Types};
use jsonschema::{
    JsonType,
    json::{Array, Json, JsonNumber, Node as JsonNode, Object},
};

use super::shape::CoercionGraph;

impl<'s> CoercionGraph<'s> {
    /// Returns whether a valid value certainly needs no coercion. False means that it may need one.
    pub(crate) fn needs_no_coercion<J: Json>(self, value: &J::Node<'_>) -> bool {
        self.takes_at::<J>(self.root(), value)
    }

    fn takes_at<J: Json>(self, id: NodeId, value: &J::Node<'_>) -> bool {
        let Some(node) = self.node(id) else { return true };
        if node.is_anything {
            return true;
        }
        if let Some(either) = &node.either {
            return self.is_unit::<J>(either, value);
        }
        // A decimal number may have to be converted to a string of its digits.
        let may_change = node.is_decimal && value.is_number();
        if may_change || !node.types.contains(types_of::<J>(value)) {
            return false;
        }
        if let Some(options) = &node.options {
            let is_plain = !matches!(value.json_type(), JsonType::Array | JsonType::Object);
            return is_plain && options.values.iter().any(|option| value.equals_value(option));
        }
        if let Some(members) = value.as_object() {
            return self.takes_members::<J>(&node.objects, &members);
        }
        value.as_array().is_none_or(|items| self.takes_items::<J>(node, &items))
    }

    /// Returns whether a string is a constant of a choice in which all branches are constants or null.
    fn is_unit<J: Json>(self, either: &Either, value: &J::Node<'_>) -> bool {
        if !value.is_string() {
            return false;
        }
        for node in either.branches.iter().filter_map(|branch| self.node(*branch)) {
            match &node.options {
                _ if node.either.is_some() => return false,
                Some(options) if options.values.iter().any(|option| value.equals_value(option)) => {
                    return true;
                }
                Some(_) => {}
                None if node.types == Types::NULL => {}
                None => return false,
            }
        }
        false
    }

    /// Returns whether all members are properties by their exact names, need no coercion, and include the
    /// required ones.
    fn takes_members<'v, J: Json>(
        self,
        objects: &Objects,
        members: &<J::Node<'v> as JsonNode<'v, J>>::Object,
    ) -> bool {
        let mut required = 0;
        for (name, value) in members.members() {
            let name: Cow<'v, str> = name.into();
            let Some((_, property)) = objects.property(&name) else { return false };
            required += usize::from(property.is_required);
            if !self.takes_at::<J>(property.node, &value) {
                return false;
            }
        }
        !members.is_empty() && required == objects.required
    }

    fn takes_items<'v, J: Json>(
        self,
        node: &Node,
        items: &<J::Node<'v> as JsonNode<'v, J>>::Array,
    ) -> bool {
        let lists = &node.lists;
        let takes = |(index, item): (usize, J::Node<'v>)| {
            lists.item(index).is_none_or(|id| self.takes_at::<J>(id, &item))
        };
        lists.allows_len(items.len()) && items.elements().enumerate().all(takes)
    }
}

fn types_of<J: Json>(value: &J::Node<'_>) -> Types {
    match value.json_type() {
        JsonType::Null => Types::NULL,
        JsonType::Boolean => Types::BOOL,
        JsonType::Number | JsonType::Integer => {
            let number = value.as_number();
            let is_whole = |number: &_| is_whole(number);
            if number.as_ref().is_some_and(is_whole) { Types::INTEGER } else { Types::NUMBER }
        }
        JsonType::String => Types::TEXT,
        JsonType::Array => Types::LIST,
        JsonType::Object => Types::OBJECT,
    }
}

fn is_whole(number: &impl JsonNumber) -> bool {
    number.as_i64().is_some() || number.as_u64().is_some()
}
