//! Brings a value that a model gave towards a schema, and says what it changed.
//!
//! A schema is compiled into nodes once. A value is first weighed against them, which gives an
//! [outcome](outcome::Outcome) for each place, and made only when it is known which outcome is meant.
//! Nothing is guessed: what could mean two things is a doubt, and what can't be brought into form
//! stays as it is, for the validator to say what is wrong.

use serde_json::Value;

use self::{
    coercer::Coercer,
    node::{Node, NodeId},
    outcome::Told,
};
use super::repair::Repairs;
use crate::{Issue, Issues, output::TypeRules};

mod as_is;
mod choice;
mod coercer;
mod compile;
mod draft;
mod either;
mod embedded;
mod entries;
mod flat;
mod kin;
mod label;
mod list;
mod names;
mod node;
mod number;
mod object;
mod outcome;
mod partial;
mod place;
mod retag;
mod scalar;
mod target;
mod wrap;

pub(crate) use names::same_name;
pub(crate) use target::AnySchema;
pub(super) use target::Anything;

/// A schema, compiled for coercion.
#[derive(Debug)]
pub(crate) struct Shape {
    nodes: Vec<Node>,
    root: NodeId,
}

impl Shape {
    /// Compiles a schema. The rules named `N` apply to `#/$defs/N`, and those named `root` to the
    /// schema itself.
    pub(crate) fn compile(schema: &Value, rules: &[TypeRules], root: Option<&str>) -> Self {
        let (nodes, root) = compile::compile(schema, rules, root);
        Self { nodes, root }
    }

    /// The value as near to the schema as it can be brought without a guess.
    pub(crate) fn coerce(&self, value: Value, repairs: &mut Repairs, doubts: &mut Issues) -> Value {
        let mut coercer = Coercer::new(self, &value);
        let outcome = coercer.coerce(self.root, &value, false);
        if coercer.is_exhausted() {
            let message = "is too intricate to be brought into the form of the schema";
            doubts.extend([Issue::new("$", message)]);
        }
        if outcome.is_same() {
            return value;
        }
        outcome.make(value, &mut Vec::new(), &mut Told { repairs, doubts })
    }

    /// The node at a position that another one holds.
    fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id)
    }
}

#[cfg(test)]
mod tests;
