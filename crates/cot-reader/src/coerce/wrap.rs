//! Values that lie in something, or that something is missing around.

use std::rc::Rc;

use cot_schema::internal::{Either, Node, NodeId, Types, cut_text, same_name};
use serde_json::{Map, Value};

use super::{
    coercer::Coercer,
    entries::all_entries,
    kin::shares_key,
    outcome::{Form, Outcome, Part},
};
use crate::repair::{catalogue::RepairKind, fix::Fix};

/// Keys that say nothing of what lies under them.
const NEUTRAL: [&str; 15] = [
    "reply", "value", "result", "answer", "output", "data", "response", "content", "item", "items",
    "text", "json", "object", "list", "results",
];
/// The property that a value has got where a reply has to be an object.
const VALUE: &str = "value";
/// The property that engines have asked for where a reply has to be an object.
const REPLY: &str = "reply";
/// How much of a key a repair repeats.
const MAX_SHOWN: usize = 40;

impl Coercer<'_> {
    /// Whether an object that fits has nothing of the properties, and what it holds may; or it would be
    /// a map with the one key that stands around replies, and what it holds is the map.
    pub(super) fn is_wrapped(&self, id: NodeId, node: &Node, value: &Value) -> bool {
        let Some((key, inner)) = only_member(value) else { return false };
        if node.is_map() {
            let is_root = self.shape.root() == id && key == REPLY;
            return is_root && inner.as_array().is_some_and(|items| all_entries(items));
        }
        let is_kin = inner.as_object().is_some_and(|inner| shares_key(node, inner));
        let may_hold_it = || {
            let innermost = only_member(inner).is_some_and(|(key, _)| is_neutral(key));
            is_neutral(key) && (!inner.is_object() || innermost)
        };
        !node.objects.has_property(key) && (is_kin || may_hold_it())
    }

    /// A map with one key that says nothing, in which something is in another form: it may be the map
    /// that is held by it.
    pub(super) fn may_hold_map(
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
            format!("`{}` could be a key of the map, or hold the map", cut_text(key, MAX_SHOWN));
        (held.fits() || held.is_doubt()).then(|| Outcome::doubt(message))
    }

    /// The one value that an object holds.
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
        let is_kin = match inner {
            Value::Object(inner) => shares_key(node, inner),
            Value::Array(_) => node.types.have(Types::LIST),
            _ => false,
        };
        if !is_kin && !self.is_title(node, key) {
            return None;
        }
        // An empty map may as well be a member that lacks all it needs.
        let is_empty = inner.as_object().is_some_and(Map::is_empty);
        if is_empty && node.is_map() {
            return None;
        }
        let part = self.coerce(id, inner, lossy);
        let may_be_wrong = is_kin && inner.is_object();
        if !part.fits() && !may_be_wrong {
            return None;
        }
        Some(made_of(Form::Only, Part::member(key, part), lay_under(key)))
    }

    /// Alternatives that lie under a key that says nothing. What is in there may name one of them, so
    /// that it is looked at as a whole, not by each alternative for itself.
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
        Rc::new(made_of(Form::Only, Part::member(key, part), lay_under(key)))
    }

    /// Whether a key says no more than what the node is: that it is a value, or its type.
    fn is_title(&self, node: &Node, key: &str) -> bool {
        let inner = match node.objects.properties.as_slice() {
            [only] if only.name == VALUE => self.shape.node(only.node),
            _ => None,
        };
        let titles = inner.into_iter().chain([node]).flat_map(|node| &node.titles);
        let titles = titles.map(String::as_str).chain(NEUTRAL);
        titles.into_iter().any(|title| same_name(title, key))
    }

    /// The one item of a list; of several, the first where that may be.
    pub(super) fn only_item(
        &mut self,
        id: NodeId,
        node: &Node,
        items: &[Value],
        lossy: bool,
    ) -> Option<Outcome> {
        let first = items.first().filter(|first| !first.is_null())?;
        let is_only = items.len() == 1;
        // The item of a list that is wanted is a list itself, or the list is what was meant.
        let is_list_in_list = first.is_array() && is_only;
        if (node.types.have(Types::LIST) && !is_list_in_list) || (!is_only && !lossy) {
            return None;
        }
        let part = self.coerce(id, first, lossy);
        let is_kin = first.as_object().is_some_and(|first| shares_key(node, first));
        let may_be_wrong = is_kin && is_only;
        if !part.fits() && !may_be_wrong {
            return None;
        }
        let kind = if is_only { RepairKind::OneOfList } else { RepairKind::FirstOfList };
        Some(made_of(Form::Only, Part::item(0, part), kind))
    }

    /// A single value as the one item of a list.
    pub(super) fn enlist(&mut self, node: &Node, value: &Value, lossy: bool) -> Option<Outcome> {
        let text = value.as_str().unwrap_or("x");
        let is_blank = text.trim().is_empty();
        let is_single = node.lists.prefix.is_empty() && node.lists.allows_len(1);
        if !node.types.have(Types::LIST) || !is_single || is_blank || value.is_null() {
            return None;
        }
        let item = node.lists.items;
        // A list of anything is not asked for where the value could be what it is.
        if item.is_none() && node.types.have(Types::of(value)) {
            return None;
        }
        if value.is_object() && !item.is_none_or(|item| self.shape.kin(item, value, 4)) {
            return None;
        }
        let part = match item {
            Some(item) => self.coerce(item, value, lossy),
            None => Rc::clone(&self.same),
        };
        if !part.fits() && !value.is_object() {
            return None;
        }
        if item.is_some_and(|item| self.lists_several(item, text)) {
            let shown = cut_text(text, MAX_SHOWN);
            return Some(Outcome::doubt(format!(
                "`{shown}` could be one item or several; write a list"
            )));
        }
        let list = |part| Form::List(vec![part]);
        Some(made_of(list, Part::whole(part), RepairKind::Listed))
    }

    /// A value as the one property of an object.
    pub(super) fn wrap(&mut self, node: &Node, value: &Value, lossy: bool) -> Option<Outcome> {
        let [property] = node.objects.properties.as_slice() else { return None };
        let is_meant = match value {
            _ if !node.types.have(Types::OBJECT) || value.is_null() => false,
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
        let fix = RepairKind::MissingObject.about(cut_text(&name, MAX_SHOWN));
        Some(made_of(|part| Form::Object(vec![(name, part)]), Part::whole(part), fix))
    }

    /// Whether a node, or what it is a list of, knows all keys of an object.
    fn knows_all(&self, id: NodeId, members: &Map<String, Value>) -> bool {
        let items = self.shape.node(id).and_then(|node| node.lists.items);
        self.shape.knows_all(id, members)
            || items.is_some_and(|items| self.shape.knows_all(items, members))
    }
}

/// The member of an object that has no other.
fn only_member(value: &Value) -> Option<(&String, &Value)> {
    value.as_object().filter(|members| members.len() == 1)?.iter().next()
}

pub(super) fn is_neutral(key: &str) -> bool {
    NEUTRAL.iter().any(|neutral| same_name(neutral, key))
}

fn lay_under(key: &str) -> Fix {
    RepairKind::Unwrapped.about(cut_text(key, MAX_SHOWN))
}

pub(super) fn made_of(form: impl FnOnce(Part) -> Form, part: Part, fix: impl Into<Fix>) -> Outcome {
    let inner = Rc::clone(&part.outcome);
    Outcome::mended(form(part), fix).with(&inner)
}
