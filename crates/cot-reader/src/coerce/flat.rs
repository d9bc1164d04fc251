//! Coerces lists to lists of lists, and detects strings that enumerate items.

use std::rc::Rc;

use cot_schema::internal::{Node, NodeId, Types};
use serde_json::Value;

use super::{
    coercer::Coercer,
    outcome::{Form, Outcome, OutcomePart},
    shape::CoercionGraph,
    wrap::repaired_part,
};
use crate::repair::catalogue::RepairKind;

/// Maximum number of words of an item that is enumerated in a string.
const MAX_WORDS: usize = 3;

impl Coercer<'_> {
    /// Coerces a flat list to a list of lists: the list becomes the only item. Returns a doubt if wrapping
    /// each item, which is the outcome `direct`, fits too.
    pub(super) fn flat(
        &mut self,
        (id, node): (NodeId, &Node),
        value: &Value,
        direct: &Outcome,
        lossy: bool,
    ) -> Option<Rc<Outcome>> {
        let Value::Array(items) = value else { return None };
        if direct.is_same() && direct.fits() {
            return None;
        }
        let item = node.lists.items.filter(|item| *item != id)?;
        let may_be = node.types.contains(Types::LIST)
            && node.lists.prefix.is_empty()
            && node.lists.allows_len(1)
            && !items.is_empty()
            && !items.iter().any(|item| is_list(self, item))
            && takes_lists_alone(self.shape, item);
        if !may_be || (direct.fits() && items.len() == 1) {
            return None;
        }
        let whole = self.coerce(item, value, lossy);
        if !whole.fits() {
            return None;
        }
        if direct.fits() {
            let message = "could be one list or several of one item each; write a list of lists";
            return Some(Rc::new(Outcome::doubt(message.to_owned())));
        }
        let list = |part| Form::List(vec![part]);
        Some(Rc::new(repaired_part(list, OutcomePart::whole(whole), RepairKind::FlatList)))
    }

    /// Returns whether a string may enumerate several items.
    pub(super) fn enumerates_items(&self, item: NodeId, text: &str) -> bool {
        if self.shape.takes(item, Types::INTEGER) && !self.shape.takes_free_text(item) {
            return text.contains(',');
        }
        self.shape.takes_free_text(item) && (has_bullets(text) || has_separators(text))
    }
}

/// Returns whether a node accepts only lists and null.
fn takes_lists_alone(shape: CoercionGraph<'_>, id: NodeId) -> bool {
    let others = Types::ALL.without(Types::LIST.or(Types::NULL));
    let leaves = shape.leaves(&[id]);
    let mut leaves = leaves.iter().filter(|node| node.either.is_none()).peekable();
    leaves.peek().is_some()
        && leaves.all(|node| !node.is_anything && node.types.and(others) == Types::NONE)
        && shape.takes(id, Types::LIST)
}

/// Returns whether each line of a text is an item of a list.
fn has_bullets(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_item = |line: &str| {
        let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
        line.starts_with("- ")
            || line.starts_with("* ")
            || line.starts_with('•')
            || (number.len() < line.len() && number.starts_with(['.', ')']))
    };
    lines.clone().count() > 1 && lines.all(is_item)
}

/// Returns whether a text consists of short parts between commas or semicolons.
fn has_separators(text: &str) -> bool {
    let mut parts = text.trim().split([',', ';', '\n']);
    let is_short = |part: &str| (1..=MAX_WORDS).contains(&part.split_whitespace().count());
    parts.clone().count() > 1 && parts.all(is_short)
}

/// Returns whether a value is a list, or the text of one.
fn is_list(coercer: &mut Coercer<'_>, value: &Value) -> bool {
    let mut text = || coercer.parsed(value, value.as_str()?);
    value.is_array() || text().is_some_and(|inner| inner.is_array())
}
