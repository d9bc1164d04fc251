//! Coerces the items of lists.

use std::rc::Rc;

use cot_schema::internal::{Lists, PathSegment};
use serde_json::Value;

use super::{
    coercer::Coercer,
    outcome::{Form, Outcome, OutcomePart},
};
use crate::repair::catalogue::RepairKind;

impl Coercer<'_> {
    /// Coerces each item of a list. If `lossy`, items that don't fit are dropped.
    pub(super) fn list(&mut self, lists: &Lists, items: &[Value], lossy: bool) -> Rc<Outcome> {
        let mut parts = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            parts.push(match lists.item(index) {
                Some(node) => self.coerce(node, item, lossy),
                None => Rc::clone(&self.same),
            });
        }
        // The elements of a tuple are positional, so that none can be dropped.
        if lossy && lists.prefix.is_empty() && parts.iter().any(|part| !part.fits()) {
            return Rc::new(shortened(lists, parts));
        }
        let mut outcome =
            Outcome { misfits: u32::from(!lists.allows_len(items.len())), ..Outcome::default() };
        parts.iter().for_each(|part| outcome.count(part));
        if parts.iter().all(|part| part.is_same()) {
            return if outcome.cost == 0 && outcome.fits() {
                Rc::clone(&self.same)
            } else {
                Rc::new(outcome)
            };
        }
        let parts = parts.into_iter().enumerate();
        outcome.form =
            Form::List(parts.map(|(index, part)| OutcomePart::item(index, part)).collect());
        Rc::new(outcome)
    }
}

/// Returns the outcome of a list without the items that don't fit.
fn shortened(lists: &Lists, parts: Vec<Rc<Outcome>>) -> Outcome {
    let mut outcome = Outcome::default();
    let mut kept = Vec::new();
    for (index, part) in parts.into_iter().enumerate() {
        if part.fits() {
            outcome.count(&part);
            kept.push(OutcomePart::item(index, part));
        } else {
            outcome.note(RepairKind::ItemLeftOut, Some(PathSegment::Index(index)));
        }
    }
    outcome.misfits += u32::from(!lists.allows_len(kept.len()));
    outcome.form = Form::List(kept);
    outcome
}
