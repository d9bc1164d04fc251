//! Coerces values by unwrapping and wrapping.

use std::rc::Rc;

use cot_schema::internal::{Either, Node, NodeId, Types, same_name, truncate};
use serde_json::{Map, Value};

use super::{
    coercer::Coercer,
    entries::all_entries,
    outcome::{Form, Outcome, OutcomePart},
    resemblance::shares_key,
    shape::CoercionGraph,
};
use crate::repair::{catalogue::RepairKind, fix::Fix};

/// Neutral keys, which say nothing about their values.
const NEUTRAL: [&str; 15] = [
    "reply", "value", "result", "answer", "output", "data", "response", "content", "item", "items",
    "text", "json", "object", "list", "results",
];
/// The property that wraps a value that is not an object.
const VALUE: &str = "value";
/// The property that wraps a reply in rewritten schemas.
const REPLY: &str = "reply";
/// Maximum length of a key in a repair.
const MAX_SHOWN: usize = 40;

impl Coercer<'_> {
    /// Returns whether an object that fits is probably a wrapper: its only key is unknown and its value
    /// resembles the node, or it is the wrapper of a reply around the entries of a map or the text of an object.
    pub(super) fn is_wrapped(&self, id: NodeId, node: &Node, value: &Value) -> bool {
        let Some((key, inner)) = only_member(value) else { return false };
        if node.is_map() {
            let is_root = self.shape.root() == id && key == REPLY;
            let is_text = || inner.as_str().is_some_and(|text| text.starts_with('{'));
            let is_entries = || inner.as_array().is_some_and(|items| all_entries(items));
            return is_root && (is_entries() || is_text());
        }
        let resembles = inner.as_object().is_some_and(|inner| shares_key(node, inner));
        let may_hold_it = || {
            let innermost = only_member(inner).is_some_and(|(key, _)| is_neutral(key));
            is_neutral(key) && (!inner.is_object() || innermost)
        };
        !node.objects.has_property(key) && (resembles || may_hold_it())
    }

    /// Returns a doubt about a map with a single neutral key that needs repairs: its value may be the map
    /// itself.
    pub(super) fn map_or_wrapper_doubt(
        &mut self,
        (id, node): (NodeId, &Node),
        value: &Value,
        direct: &Outcome,
        lossy: bool,
    ) -> Option<Outcome> {
        let (key, inner) = only_member(value)?;
        if !node.is_map() || direct.cost < RepairKind::Unwrapped.cost().into() || !is_neutral(key) {
            return None;
        }
        let held = self.coerce(id, inner, lossy);
        let message =
            format!("`{}` could be a key of the map, or hold the map", truncate(key, MAX_SHOWN));
        (held.fits() || held.is_doubt()).then(|| Outcome::doubt(message))
    }

    /// Coerces the only value of an object instead of the object.
    pub(super) fn unwrap(
        &mut self,
        id: NodeId,
        node: &Node,
        value: &Value,
        lossy: bool,
    ) -> Option<Outcome> {
        let (key, inner) = only_member(value)?;
        if node.objects.has_property(key) {
            return None;
        }
        let resembles = match inner {
            Value::Object(inner) => shares_key(node, inner),
            Value::Array(_) => node.types.contains(Types::LIST),
            _ => false,
        };
        if !resembles && !is_title(self.shape, node, key) {
            return None;
        }
        // An empty object may be a map or a member without its fields.
        let is_empty = inner.as_object().is_some_and(Map::is_empty);
        if is_empty && node.is_map() {
            return None;
        }
        let part = self.coerce(id, inner, lossy);
        let may_be_wrong = resembles && inner.is_object();
        if !part.fits() && !may_be_wrong {
            return None;
        }
        Some(repaired_part(Form::Only, OutcomePart::member(key, part), unwrap_repair(key)))
    }

    /// Coerces the value under a neutral key to a choice as a whole, since it may name a branch.
    pub(super) fn unwrap_either(
        &mut self,
        id: NodeId,
        either: &Either,
        value: &Value,
        direct: Rc<Outcome>,
        lossy: bool,
    ) -> Rc<Outcome> {
        let Some((key, inner)) = only_member(value) else { return direct };
        let is_direct = direct.fits() && direct.cost < RepairKind::Unwrapped.cost().into();
        let is_meant = || either.branches.iter().any(|branch| self.shape.knows(*branch, key));
        if is_direct || !inner.is_object() || !is_neutral(key) || is_meant() {
            return direct;
        }
        let part = self.coerce(id, inner, lossy);
        if part.is_misfit() {
            return direct;
        }
        Rc::new(repaired_part(Form::Only, OutcomePart::member(key, part), unwrap_repair(key)))
    }

    /// Coerces the only item of a list instead of the list. If `lossy`, the first of several.
    pub(super) fn only_item(
        &mut self,
        id: NodeId,
        node: &Node,
        items: &[Value],
        lossy: bool,
    ) -> Option<Outcome> {
        let first = items.first().filter(|first| !first.is_null())?;
        let is_only = items.len() == 1;
        // If the node accepts lists, the list itself was meant, unless its only item is a list.
        let is_list_in_list = first.is_array() && is_only;
        if (node.types.contains(Types::LIST) && !is_list_in_list) || (!is_only && !lossy) {
            return None;
        }
        let part = self.coerce(id, first, lossy);
        let resembles = first.as_object().is_some_and(|first| shares_key(node, first));
        let may_be_wrong = resembles && is_only;
        if !part.fits() && !may_be_wrong {
            return None;
        }
        let kind = if is_only { RepairKind::OneOfList } else { RepairKind::FirstOfList };
        Some(repaired_part(Form::Only, OutcomePart::item(0, part), kind))
    }

    /// Coerces a single value to a list of one item.
    pub(super) fn enlist(&mut self, node: &Node, value: &Value, lossy: bool) -> Option<Outcome> {
        let text = value.as_str().unwrap_or("x");
        let is_blank = text.trim().is_empty();
        let is_single = node.lists.prefix.is_empty() && node.lists.allows_len(1);
        if !node.types.contains(Types::LIST) || !is_single || is_blank || value.is_null() {
            return None;
        }
        let item = node.lists.items;
        // A value of an accepted type is not wrapped into a list of anything.
        if item.is_none() && node.types.contains(Types::from_value(value)) {
            return None;
        }
        if value.is_object() && !item.is_none_or(|item| self.shape.resembles_node(item, value, 4)) {
            return None;
        }
        let part = match item {
            Some(item) => self.coerce(item, value, lossy),
            None => Rc::clone(&self.same),
        };
        if !part.fits() && !value.is_object() {
            return None;
        }
        if item.is_some_and(|item| self.enumerates_items(item, text)) {
            let shown = truncate(text, MAX_SHOWN);
            return Some(Outcome::doubt(format!(
                "`{shown}` could be one item or several; write a list"
            )));
        }
        let list = |part| Form::List(vec![part]);
        Some(repaired_part(list, OutcomePart::whole(part), RepairKind::Listed))
    }

    /// Coerces a value to an object with it as the only property.
    pub(super) fn wrap(&mut self, node: &Node, value: &Value, lossy: bool) -> Option<Outcome> {
        let [property] = node.objects.properties.as_slice() else { return None };
        let is_meant = match value {
            _ if !node.types.contains(Types::OBJECT) || value.is_null() => false,
            Value::Object(members) => {
                !shares_key(node, members) && self.knows_all(property.node, members)
            }
            Value::Array(items) => {
                property.name == VALUE
                    || (!items.is_empty() && self.shape.takes(property.node, Types::LIST))
            }
            _ => property.name == VALUE,
        };
        if !is_meant {
            return None;
        }
        let part = self.coerce(property.node, value, lossy || property.allows_loss);
        if !part.fits() {
            return None;
        }
        let name = property.name.clone();
        let fix = RepairKind::MissingObject.with_subject(truncate(&name, MAX_SHOWN));
        Some(repaired_part(|part| Form::Object(vec![(name, part)]), OutcomePart::whole(part), fix))
    }

    /// Returns whether a node, or the items of its lists, know all keys of an object.
    fn knows_all(&self, id: NodeId, members: &Map<String, Value>) -> bool {
        let items = self.shape.node(id).and_then(|node| node.lists.items);
        self.shape.knows_all(id, members)
            || items.is_some_and(|items| self.shape.knows_all(items, members))
    }
}

/// Returns whether a key is neutral or the name of the node's type.
fn is_title(shape: CoercionGraph<'_>, node: &Node, key: &str) -> bool {
    let inner = match node.objects.properties.as_slice() {
        [only] if only.name == VALUE => shape.node(only.node),
        _ => None,
    };
    let titles = inner.into_iter().chain([node]).flat_map(|node| &node.titles);
    let titles = titles.map(String::as_str).chain(NEUTRAL);
    titles.into_iter().any(|title| same_name(title, key))
}

/// Returns the only member of an object.
fn only_member(value: &Value) -> Option<(&String, &Value)> {
    value.as_object().filter(|members| members.len() == 1)?.iter().next()
}

pub(super) fn is_neutral(key: &str) -> bool {
    NEUTRAL.iter().any(|neutral| same_name(neutral, key))
}

fn unwrap_repair(key: &str) -> Fix {
    RepairKind::Unwrapped.with_subject(truncate(key, MAX_SHOWN))
}

pub(super) fn repaired_part(
    form: impl FnOnce(OutcomePart) -> Form,
    part: OutcomePart,
    fix: impl Into<Fix>,
) -> Outcome {
    let inner = Rc::clone(&part.outcome);
    Outcome::repaired(form(part), fix).including(&inner)
}
