//! Coerces replies that have the shape of their schema.
//!
//! A small model that is shown a JSON Schema often repeats it: with its values in the place of the types, or with the
//! types themselves. The values are read; a schema alone is one doubt.

use std::rc::Rc;

use cot_schema::internal::{Node, NodeId, Types};
use serde_json::{Map, Value};

use super::{
    coercer::Coercer,
    outcome::{Form, Outcome, OutcomePart},
    resemblance::shares_key,
    schema_shape::{ITEMS, PROPERTIES, VALUE, has_keywords_alone, types_alone, types_named},
    wrap::repaired_part,
};
use crate::repair::catalogue::RepairKind;

impl Coercer<'_> {
    /// Coerces values in the place of the types of a schema: `{"type": "object", "properties": {"name": "Ada"}}`.
    /// A schema without values is a doubt.
    ///
    /// A value that fits as it is and has a member of its own among the keywords is not changed.
    pub(super) fn echoed(
        &mut self,
        id: NodeId,
        node: &Node,
        value: &Value,
        direct: &Outcome,
        lossy: bool,
    ) -> Option<Rc<Outcome>> {
        let members = value.as_object().filter(|members| has_keywords_alone(members))?;
        let is_own = |key: &String| node.objects.has_property(key);
        if node.is_map() || direct.fits() && members.keys().any(is_own) {
            return None;
        }
        if let Some(types) = types_alone(self.shape, id, node, value) {
            return Some(types);
        }
        let key = holder(node, members)?;
        let held = members.get(key)?;
        // One item stands for the list.
        let item = node.lists.items.filter(|_| key == ITEMS && held.is_object());
        let part = OutcomePart::member(key, self.coerce(item.unwrap_or(id), held, lossy));
        let form = |part| if item.is_some() { Form::List(vec![part]) } else { Form::Only(part) };
        Some(Rc::new(repaired_part(form, part, RepairKind::SchemaShape.with_subject(key))))
    }
}

/// Returns the keyword under which a value in the shape of a schema holds the value for a node.
fn holder(node: &Node, members: &Map<String, Value>) -> Option<&'static str> {
    let named = members.get("type").map(types_named);
    let is_of = |types: Types| named.is_none_or(|named| named.contains(types));
    let values = || members.get(PROPERTIES).and_then(Value::as_object);
    let is_list = node.types.contains(Types::LIST) && !node.types.contains(Types::OBJECT);
    if is_of(Types::OBJECT) && values().is_some_and(|values| shares_key(node, values)) {
        return Some(PROPERTIES).filter(|key| !node.objects.has_property(key));
    }
    if is_list && named.is_some() && is_of(Types::LIST) && members.contains_key(ITEMS) {
        return Some(ITEMS);
    }
    let is_typed = named.is_some_and(|named| named != Types::NONE) && members.contains_key(VALUE);
    Some(VALUE).filter(|key| is_typed && !node.objects.has_property(key))
}
