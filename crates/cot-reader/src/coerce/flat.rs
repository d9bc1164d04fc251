//! Lists of lists that were written without the inner or the outer one, and texts that list things.

use std::rc::Rc;

use cot_schema::internal::{Node, NodeId, Types};
use serde_json::Value;

use super::{
    coercer::Coercer,
    outcome::{Form, Outcome, Part},
    shape::Shape,
    wrap::made_of,
};
use crate::repair::catalogue::RepairKind;

/// Most words of an item of a list that is written as one text.
const MAX_WORDS: usize = 3;

impl Coercer<'_> {
    /// A list where a list of lists is wanted: it is the one item, or its items are the one item of a
    /// list each. `direct` is the latter.
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
        let may_be = node.types.have(Types::LIST)
            && node.lists.prefix.is_empty()
            && node.lists.allows_len(1)
            && !items.is_empty()
            && !items.iter().any(Value::is_array)
            && self.shape.takes_lists_alone(item);
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
        Some(Rc::new(made_of(list, Part::whole(whole), RepairKind::FlatList)))
    }

    /// Whether a text may list several items.
    pub(super) fn lists_several(&self, item: NodeId, text: &str) -> bool {
        if self.shape.takes(item, Types::INTEGER) && !self.shape.takes_free_text(item) {
            return text.contains(',');
        }
        self.shape.takes_free_text(item) && (has_bullets(text) || has_separators(text))
    }
}

impl<'s> Shape<'s> {
    /// Whether a node takes lists, and nothing but those and null.
    fn takes_lists_alone(self, id: NodeId) -> bool {
        let others = Types::ALL.without(Types::LIST.or(Types::NULL));
        let leaves = self.leaves(&[id]);
        let mut leaves = leaves.iter().filter(|node| node.either.is_none()).peekable();
        leaves.peek().is_some()
            && leaves.all(|node| !node.is_anything && node.types.and(others) == Types::NONE)
            && self.takes(id, Types::LIST)
    }
}

/// Whether each line of a text is an item of a list.
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

/// Whether a text is made of a few words each between commas or semicolons.
fn has_separators(text: &str) -> bool {
    let mut parts = text.trim().split([',', ';', '\n']);
    let is_short = |part: &str| (1..=MAX_WORDS).contains(&part.split_whitespace().count());
    parts.clone().count() > 1 && parts.all(is_short)
}
