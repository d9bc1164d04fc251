//! Values that lie in something, or that something is missing around.

use std::rc::Rc;

use serde_json::{Map, Value};

use super::{
    coercer::Coercer,
    kin::shares_key,
    names::is_same,
    node::{Node, NodeId, Others, Types},
    outcome::{Form, Outcome, Part, Source},
};
use crate::{
    issue::cut_text,
    reader::{RepairClass::Coercion, RepairClass::Loss},
};

/// Keys that say nothing of what lies under them.
const NEUTRAL: [&str; 14] = [
    "value", "result", "answer", "output", "data", "response", "content", "item", "items", "text",
    "json", "object", "list", "results",
];
/// The property that a value has got where a reply has to be an object.
const VALUE: &str = "value";
/// How much of a key a repair repeats.
const MAX_SHOWN: usize = 40;

impl Coercer<'_> {
    /// Whether an object that fits has nothing of the properties, and what it holds has.
    #[expect(clippy::unused_self, reason = "called like the others")]
    pub(super) fn is_wrapped(&self, node: &Node, value: &Value) -> bool {
        let Value::Object(members) = value else { return false };
        let mut values = members.values();
        match (values.next(), values.next()) {
            (Some(Value::Object(inner)), None) => {
                !shares_key(node, members) && shares_key(node, inner)
            }
            _ => false,
        }
    }

    /// The one value that an object holds.
    pub(super) fn unwrap(
        &mut self,
        id: NodeId,
        node: &Node,
        members: &Map<String, Value>,
        lossy: bool,
    ) -> Option<Outcome> {
        let mut all = members.iter();
        let (Some((key, inner)), None) = (all.next(), all.next()) else { return None };
        if node.objects.knows(key) {
            return None;
        }
        let is_kin = match inner {
            Value::Object(inner) => shares_key(node, inner),
            Value::Array(_) => node.types.have(Types::LIST),
            _ => false,
        };
        if !is_kin && !NEUTRAL.iter().any(|name| is_same(name, key)) {
            return None;
        }
        let part = self.coerce(id, inner, lossy);
        if !part.fits() && !(is_kin && inner.is_object()) {
            return None;
        }
        let what = format!("what is wanted lay under the key `{}`", cut_text(key, MAX_SHOWN));
        Some(made_of(Form::Only, Part::member(key, part), 8, what))
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
        if !is_only && (!lossy || node.types.have(Types::LIST)) {
            return None;
        }
        let part = self.coerce(id, first, lossy);
        let is_kin = first.as_object().is_some_and(|first| shares_key(node, first));
        if !part.fits() && !(is_kin && is_only) {
            return None;
        }
        let (class, cost, what) = if is_only {
            (Coercion, 6, "a list of one was given for a single value")
        } else {
            (Loss, 50, "the items of a list after the first one were left out")
        };
        let (misfits, inner) = (part.misfits, part.cost);
        let mut outcome = Outcome::mended(Form::Only(Part::item(0, part)), class, cost, what);
        outcome.cost = u64::from(cost) + inner;
        outcome.misfits = misfits;
        Some(outcome)
    }

    /// A single value as the one item of a list.
    pub(super) fn enlist(&mut self, node: &Node, value: &Value, lossy: bool) -> Option<Outcome> {
        let is_blank = value.as_str().is_some_and(|text| text.trim().is_empty());
        let is_single = node.lists.prefix.is_empty() && node.lists.allows(1);
        if !node.types.have(Types::LIST) || !is_single || is_blank || value.is_null() {
            return None;
        }
        let item = node.lists.items?;
        if value.is_object() && !self.shape.kin(item, value, 4) {
            return None;
        }
        let part = self.coerce(item, value, lossy);
        if !part.fits() && !value.is_object() {
            return None;
        }
        let list = |part| Form::List(vec![part]);
        Some(made_of(list, Part::whole(part), 6, "a single value was given for a list"))
    }

    /// A value as the one property of an object.
    pub(super) fn wrap(&mut self, node: &Node, value: &Value, lossy: bool) -> Option<Outcome> {
        let [property] = node.objects.properties.as_slice() else { return None };
        let is_meant = match value {
            _ if !node.types.have(Types::OBJECT) || value.is_null() => false,
            Value::Object(members) => {
                !shares_key(node, members) && self.shape.knows_all(property.node, members)
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
        let what = format!("the object around `{}` was missing", cut_text(&name, MAX_SHOWN));
        Some(made_of(|part| Form::Object(vec![(name, part)]), Part::whole(part), 8, what))
    }

    /// A list of entries as a map: `[{"key": "a", "value": 1}]`.
    pub(super) fn entries(&mut self, node: &Node, items: &[Value], lossy: bool) -> Option<Outcome> {
        if items.is_empty() || !node.types.have(Types::OBJECT) || !node.objects.is_map() {
            return None;
        }
        let mut parts: Vec<(String, Part)> = Vec::with_capacity(items.len());
        let mut outcome = Outcome::default();
        let mut seen = fnv::FnvHashSet::default();
        for (index, item) in items.iter().enumerate() {
            let (key, name, value) = entry(item)?;
            if !seen.insert(key.clone()) {
                return None;
            }
            let part = self.coerce(value_node(node, &key)?, value, lossy);
            outcome.count(&part);
            let source = Source::Entry(index, name.to_owned());
            parts.push((key, Part { source, outcome: part }));
        }
        outcome.form = Form::Object(parts);
        outcome.note(Coercion, 6, "a map was given as a list of entries", None);
        Some(outcome)
    }
}

fn made_of(
    form: impl FnOnce(Part) -> Form,
    part: Part,
    cost: u32,
    what: impl Into<std::borrow::Cow<'static, str>>,
) -> Outcome {
    let inner = Rc::clone(&part.outcome);
    Outcome::mended(form(part), Coercion, cost, what).with(&inner)
}

/// The key of an entry, and its value with the name that it has in it.
fn entry(item: &Value) -> Option<(String, &str, &Value)> {
    let members = item.as_object().filter(|members| members.len() == 2)?;
    let named = |names: &[&str]| members.iter().find(|(key, _)| names.contains(&key.as_str()));
    let (_, key) = named(&["key", "name"])?;
    let (name, value) = named(&["value"])?;
    let key = match key {
        Value::String(key) => key.clone(),
        Value::Number(key) => key.to_string(),
        _ => return None,
    };
    Some((key, name, value))
}

fn value_node(node: &Node, key: &str) -> Option<NodeId> {
    let text = Value::String(key.to_owned());
    let mut patterns = node.objects.patterns.iter();
    let pattern = patterns.find(|(validator, _)| validator.is_valid(&text));
    match (pattern, node.objects.others) {
        (Some((_, node)), _) => Some(*node),
        (None, Others::Of(node)) => Some(node),
        (None, Others::Open | Others::Closed) => None,
    }
}
