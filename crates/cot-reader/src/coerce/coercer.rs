//! Evaluates the coercion of values to the nodes of a schema.

use std::rc::Rc;

use cot_schema::{
    Issue, Issues,
    internal::{Node, NodeId, Types},
};
use fnv::FnvHashMap;
use serde_json::Value;

use super::{
    outcome::{CoercionLog, Outcome},
    scalar::{as_digits, scalar},
    schema_shape::types_alone,
    shape::CoercionGraph,
};
use crate::repair::repairs::Repairs;

/// Minimum number of evaluation steps.
const MIN_STEPS: u64 = 20_000;
/// Additional number of evaluation steps for each part of a value.
const STEPS_PER_PART: u64 = 200;
/// Maximum nesting depth of values and choices. Parsed text has at most 128 levels.
const MAX_DEPTH: usize = 300;

/// Evaluates the coercion of a value to the nodes of a schema, with memoization and limited work.
pub(super) struct Coercer<'s> {
    pub(super) shape: CoercionGraph<'s>,
    /// The outcomes within choices, by node, address of the value and loss mode. Without them, nested
    /// choices would take exponential time.
    known: FnvHashMap<(NodeId, usize, bool), Rc<Outcome>>,
    /// The JSON parsed from the strings at these addresses.
    pub(super) texts: FnvHashMap<usize, Option<Rc<Value>>>,
    /// Substituted values, kept alive so that no address is reused.
    kept: Vec<Rc<Value>>,
    steps: u64,
    depth: usize,
    /// The number of choices around the current node.
    alternatives: usize,
    is_exhausted: bool,
    pub(super) same: Rc<Outcome>,
    pub(super) misfit: Rc<Outcome>,
}

impl<'s> Coercer<'s> {
    pub(super) fn new(shape: CoercionGraph<'s>, value: &Value) -> Self {
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

    /// Returns whether the limit on steps was reached.
    pub(super) const fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    /// Evaluates the coercion of a value to a node. If `lossy`, parts of the value may be dropped.
    pub(super) fn coerce(&mut self, id: NodeId, value: &Value, lossy: bool) -> Rc<Outcome> {
        let Some(node) = self.shape.node(id) else { return Rc::clone(&self.same) };
        if node.is_anything {
            return Rc::clone(&self.same);
        }
        if self.depth >= MAX_DEPTH || !self.use_step() {
            return Rc::clone(&self.misfit);
        }
        if let Some(same) = self.unchanged_scalar(node, value) {
            return same;
        }
        let is_kept = self.alternatives > 0 || node.either.is_some();
        let key = (id, std::ptr::from_ref(value) as usize, lossy);
        if is_kept {
            if let Some(known) = self.known.get(&key) {
                return Rc::clone(known);
            }
            // Choices can be recursive.
            self.known.insert(key, Rc::clone(&self.misfit));
        }
        self.depth += 1;
        let outcome = self.evaluate(id, node, value, lossy);
        self.depth -= 1;
        if is_kept {
            self.known.insert(key, Rc::clone(&outcome));
        }
        outcome
    }

    /// Returns the outcome of a scalar that needs no coercion. It is not memoized, since most scalars are
    /// such.
    fn unchanged_scalar(&self, node: &Node, value: &Value) -> Option<Rc<Outcome>> {
        let is_scalar = !value.is_array() && !value.is_object();
        let is_plain =
            is_scalar && node.either.is_none() && node.types.contains(Types::from_value(value));
        let fits = || match &node.options {
            Some(options) => options.values.contains(value),
            None => node.satisfies_checks(value) && node.to_digits(value).is_none(),
        };
        (is_plain && fits()).then(|| Rc::clone(&self.same))
    }

    fn evaluate(&mut self, id: NodeId, node: &'s Node, value: &Value, lossy: bool) -> Rc<Outcome> {
        if let Some(either) = &node.either {
            self.alternatives += 1;
            let outcome = self.either(either, value, lossy);
            let outcome = self.unwrap_either(id, either, value, outcome, lossy);
            self.alternatives -= 1;
            return match outcome.fits() {
                true => outcome,
                false => types_alone(self.shape, id, node, value).unwrap_or(outcome),
            };
        }
        let direct = self.direct(node, value, lossy);
        if let Some(echoed) = self.echoed(id, node, value, &direct, lossy) {
            return echoed;
        }
        if let Some(flat) = self.flat((id, node), value, &direct, lossy) {
            return flat;
        }
        if direct.fits()
            && let Some(doubt) = self.map_or_wrapper_doubt((id, node), value, &direct, lossy)
        {
            return Rc::new(doubt);
        }
        if direct.fits() && !self.is_wrapped(id, node, value) {
            return self.unless_unrelated(node, value, direct);
        }
        match self.restructured(id, node, value, lossy) {
            Some(other) if other.misfits <= direct.misfits => other,
            _ => self.unless_unrelated(node, value, direct),
        }
    }

    /// Coerces a value without adding or removing structure around it.
    fn direct(&mut self, node: &'s Node, value: &Value, lossy: bool) -> Rc<Outcome> {
        if let Some(options) = &node.options {
            return self.choose(options, value, lossy);
        }
        if !node.types.contains(Types::from_value(value)) {
            return scalar(node, value, lossy).map_or_else(|| Rc::clone(&self.misfit), Rc::new);
        }
        match value {
            Value::Array(items) => self.list(&node.lists, items, lossy),
            Value::Object(members) => self.object(&node.objects, members, lossy),
            _ => match node.to_digits(value) {
                Some(digits) => Rc::new(as_digits(digits)),
                None if node.satisfies_checks(value) => Rc::clone(&self.same),
                None => scalar(node, value, lossy).map_or_else(|| Rc::clone(&self.misfit), Rc::new),
            },
        }
    }

    /// Coerces a value by unwrapping or wrapping it. Returns the outcome with the fewest misfits and the
    /// lowest cost.
    fn restructured(
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
                // A string that contains fitting JSON has no other interpretation.
                Some(embedded) if embedded.fits() => [Some(embedded), None, None],
                embedded => {
                    [embedded, self.enlist(node, value, lossy), self.wrap(node, value, lossy)]
                }
            },
        };
        let found = found.into_iter().flatten();
        found.min_by_key(|outcome| (outcome.misfits, outcome.cost)).map(Rc::new)
    }

    /// Keeps a substituted value alive.
    pub(super) fn keep(&mut self, value: Value) -> Rc<Value> {
        let value = Rc::new(value);
        self.kept.push(Rc::clone(&value));
        value
    }

    fn use_step(&mut self) -> bool {
        self.is_exhausted |= self.steps == 0;
        self.steps = self.steps.saturating_sub(1);
        !self.is_exhausted
    }
}

fn parts(value: &Value) -> u64 {
    match value {
        Value::Array(items) => 1 + items.iter().map(parts).sum::<u64>(),
        Value::Object(members) => 1 + members.values().map(parts).sum::<u64>(),
        // A string may contain JSON.
        Value::String(text) => 1 + text.len() as u64 / 8,
        _ => 1,
    }
}

impl CoercionGraph<'_> {
    /// Coerces a value to the schema as far as possible without guessing.
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
        outcome.make(value, &mut Vec::new(), &mut CoercionLog { repairs, doubts })
    }
}
