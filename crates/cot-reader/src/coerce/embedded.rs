//! Coerces strings that contain JSON.

use std::rc::Rc;

use cot_schema::internal::{Node, NodeId, Types};
use serde_json::Value;

use super::{
    coercer::Coercer,
    outcome::{Form, Outcome},
    resemblance::shares_key,
};
use crate::{
    find::{find, tags::without_tag},
    repair::catalogue::RepairKind,
};

impl Coercer<'_> {
    /// Coerces the object or list in a string, if the node accepts those and no strings.
    pub(super) fn embedded(
        &mut self,
        id: NodeId,
        node: &Node,
        value: &Value,
        lossy: bool,
    ) -> Option<Outcome> {
        let text = value.as_str()?;
        let takes_parts = node.types.contains(Types::OBJECT) || node.types.contains(Types::LIST);
        if !takes_parts || node.types.contains(Types::TEXT) {
            return None;
        }
        let inner = self.parsed(value, text)?;
        let part = self.coerce(id, &inner, lossy);
        let resembles = match &*inner {
            Value::Object(members) => shares_key(node, members),
            _ => node.types.contains(Types::LIST) && inner.is_array(),
        };
        if !part.fits() && !resembles {
            return None;
        }
        let (misfits, cost) = (part.misfits, part.cost);
        let form = Form::Instead(inner, part);
        let mut outcome = Outcome::repaired(form, RepairKind::JsonAsText);
        outcome.misfits = misfits;
        outcome.cost += cost;
        Some(outcome)
    }

    /// Returns the JSON in a string. It is parsed once and memoized.
    pub(super) fn parsed(&mut self, value: &Value, text: &str) -> Option<Rc<Value>> {
        let address = std::ptr::from_ref(value) as usize;
        if let Some(known) = self.texts.get(&address) {
            return known.clone();
        }
        let parsed = value_of(text).map(Rc::new);
        self.texts.insert(address, parsed.clone());
        parsed
    }
}

/// Parses a text that consists of an object or list.
fn value_of(text: &str) -> Option<Value> {
    let text = without_tag(unfenced(text.trim()));
    if !text.starts_with(['{', '[']) {
        return None;
    }
    find::only_value(text).filter(|value| value.is_object() || value.is_array())
}

/// Removes a fence around a text.
fn unfenced(text: &str) -> &str {
    let fenced = || {
        let inner = text.strip_prefix("```")?.strip_suffix("```")?;
        let (language, inner) = inner.split_once('\n')?;
        language.trim().bytes().all(|byte| byte.is_ascii_alphanumeric()).then(|| inner.trim())
    };
    fenced().unwrap_or(text)
}
