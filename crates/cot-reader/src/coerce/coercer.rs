//! Weighs what a value comes to at a node.

use std::rc::Rc;

use cot_schema::{
    Issue, Issues,
    internal::{Node, NodeId, Types},
};
use fnv::FnvHashMap;
use serde_json::Value;

use super::{
    outcome::{Outcome, Told},
    scalar::{as_digits, scalar},
    shape::Shape,
};
use crate::repair::repairs::Repairs;

/// Work that is always done.
const MIN_STEPS: u64 = 20_000;
/// Work that is done for each part of a value.
const STEPS_PER_PART: u64 = 200;
/// How deep values and alternatives lie within each other. Parsed text has 128 levels at most.
const MAX_DEPTH: usize = 300;

/// Weighs a value against the nodes of a shape.
pub(super) struct Coercer<'s> {
    pub(super) shape: Shape<'s>,
    /// What was found out within alternatives, by node and by the address of the value: without it,
    /// nested alternatives would be weighed over and over.
    known: FnvHashMap<(NodeId, usize, bool), Rc<Outcome>>,
    /// What the texts at these addresses hold.
    pub(super) texts: FnvHashMap<usize, Option<Rc<Value>>>,
    /// Values that stand for others; kept, so that no address is used twice.
    kept: Vec<Rc<Value>>,
    steps: u64,
    depth: usize,
    /// How many alternatives we are in.
    alternatives: usize,
    is_exhausted: bool,
    pub(super) same: Rc<Outcome>,
    pub(super) misfit: Rc<Outcome>,
}

impl<'s> Coercer<'s> {
    pub(super) fn new(shape: Shape<'s>, value: &Value) -> Self {
        Self {
            shape,
            known: FnvHashMap::default(),
            texts: FnvHashMap::default(),
            kept: Vec::new(),
            steps: MIN_STEPS + STEPS_PER_PART.saturating_mul(parts(value)),
            depth: 0,
            alternatives: 0,
            is_exhausted: false,
            same: Rc::new(Outcome::default()),
            misfit: Rc::new(Outcome::misfit()),
        }
    }

    /// Whether there was too much to weigh.
    pub(super) const fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    /// What a value comes to at a node.
    pub(super) fn coerce(&mut self, id: NodeId, value: &Value, lossy: bool) -> Rc<Outcome> {
        let Some(node) = self.shape.node(id) else { return Rc::clone(&self.same) };
        if node.is_anything {
            return Rc::clone(&self.same);
        }
        if self.depth >= MAX_DEPTH || !self.takes_step() {
            return Rc::clone(&self.misfit);
        }
        if let Some(same) = self.plain(node, value) {
            return same;
        }
        let is_kept = self.alternatives > 0 || node.either.is_some();
        let key = (id, std::ptr::from_ref(value) as usize, lossy);
        if is_kept {
            if let Some(known) = self.known.get(&key) {
                return Rc::clone(known);
            }
            // Alternatives may lead back to themselves.
            self.known.insert(key, Rc::clone(&self.misfit));
        }
        self.depth += 1;
        let outcome = self.weigh(id, node, value, lossy);
        self.depth -= 1;
        if is_kept {
            self.known.insert(key, Rc::clone(&outcome));
        }
        outcome
    }

    /// What a scalar comes to that fits as it is: most do, and are not worth remembering.
    fn plain(&self, node: &Node, value: &Value) -> Option<Rc<Outcome>> {
        let is_scalar = !value.is_array() && !value.is_object();
        let is_plain = is_scalar && node.either.is_none() && node.types.have(Types::of(value));
        let fits = || match &node.options {
            Some(options) => options.values.contains(value),
            None => node.satisfies_checks(value) && node.to_digits(value).is_none(),
        };
        (is_plain && fits()).then(|| Rc::clone(&self.same))
    }

    fn weigh(&mut self, id: NodeId, node: &'s Node, value: &Value, lossy: bool) -> Rc<Outcome> {
        if let Some(either) = &node.either {
            self.alternatives += 1;
            let outcome = self.either(either, value, lossy);
            let outcome = self.unwrap_either(id, either, value, outcome, lossy);
            self.alternatives -= 1;
            return outcome;
        }
        let direct = self.direct(node, value, lossy);
        if let Some(flat) = self.flat((id, node), value, &direct, lossy) {
            return flat;
        }
        if direct.fits()
            && let Some(doubt) = self.may_hold_map((id, node), value, &direct, lossy)
        {
            return Rc::new(doubt);
        }
        if direct.fits() && !self.is_wrapped(id, node, value) {
            return self.unless_strange(node, value, direct);
        }
        match self.otherwise(id, node, value, lossy) {
            Some(other) if other.misfits <= direct.misfits => other,
            _ => self.unless_strange(node, value, direct),
        }
    }

    /// The value taken for what it is.
    fn direct(&mut self, node: &'s Node, value: &Value, lossy: bool) -> Rc<Outcome> {
        if let Some(options) = &node.options {
            return self.choose(options, value, lossy);
        }
        if !node.types.have(Types::of(value)) {
            return scalar(node, value, lossy).map_or_else(|| Rc::clone(&self.misfit), Rc::new);
        }
        match value {
            Value::Array(items) => self.list(&node.lists, items, lossy),
            Value::Object(members) => self.object(&node.objects, members, lossy),
            _ if let Some(digits) = node.to_digits(value) => Rc::new(as_digits(digits)),
            _ if node.satisfies_checks(value) => Rc::clone(&self.same),
            _ => scalar(node, value, lossy).map_or_else(|| Rc::clone(&self.misfit), Rc::new),
        }
    }

    /// The value taken for something that lies in it, or that it lies in; the nearest of these.
    fn otherwise(
        &mut self,
        id: NodeId,
        node: &'s Node,
        value: &Value,
        lossy: bool,
    ) -> Option<Rc<Outcome>> {
        let found = match value {
            Value::Null => [None, None, None],
            Value::Array(items) => [
                self.entries(node, items, lossy),
                self.only_item(id, node, items, lossy),
                self.wrap(node, value, lossy),
            ],
            Value::Object(_) => [
                self.unwrap(id, node, value, lossy),
                self.enlist(node, value, lossy),
                self.wrap(node, value, lossy),
            ],
            _ => match self.embedded(id, node, value, lossy) {
                // What is JSON as a text is not the text of something else too.
                Some(embedded) if embedded.fits() => [Some(embedded), None, None],
                embedded => {
                    [embedded, self.enlist(node, value, lossy), self.wrap(node, value, lossy)]
                }
            },
        };
        let found = found.into_iter().flatten();
        found.min_by_key(|outcome| (outcome.misfits, outcome.cost)).map(Rc::new)
    }

    /// Keeps a value that stands for another one.
    pub(super) fn keep(&mut self, value: Value) -> Rc<Value> {
        let value = Rc::new(value);
        self.kept.push(Rc::clone(&value));
        value
    }

    fn takes_step(&mut self) -> bool {
        self.is_exhausted |= self.steps == 0;
        self.steps = self.steps.saturating_sub(1);
        !self.is_exhausted
    }
}

fn parts(value: &Value) -> u64 {
    match value {
        Value::Array(items) => 1 + items.iter().map(parts).sum::<u64>(),
        Value::Object(members) => 1 + members.values().map(parts).sum::<u64>(),
        // A text may hold values.
        Value::String(text) => 1 + text.len() as u64 / 8,
        _ => 1,
    }
}

impl Shape<'_> {
    /// The value as near to the schema as it can be brought without a guess.
    pub(crate) fn coerce(self, value: Value, repairs: &mut Repairs, doubts: &mut Issues) -> Value {
        let mut coercer = Coercer::new(self, &value);
        let outcome = coercer.coerce(self.root(), &value, false);
        if coercer.is_exhausted() {
            let message = "is too intricate to be brought into the form of the schema";
            doubts.extend([Issue::new("$", message)]);
        }
        if outcome.is_same() {
            return value;
        }
        outcome.make(value, &mut Vec::new(), &mut Told { repairs, doubts })
    }
}
