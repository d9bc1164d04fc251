//! The expected form of a reply.

use cot_schema::{
    Issue, Issues,
    internal::{PathSegment, format_path},
};
use serde_json::Value;

use super::repair::{class::RepairClass, repairs::Repairs};

/// The expected form of a reply: coerces values to it, without guessing, and checks them.
pub trait Target {
    /// Coerces a value to the expected form and checks it.
    fn fit(&self, value: Value) -> CoercionResult;

    /// Returns whether the output allows loss at a path.
    fn allows_loss(&self, path: &[PathSegment]) -> bool;

    /// Returns whether a reply without JSON, such as a word, number or sentence, may be the value.
    fn accepts_bare(&self, text: &str) -> bool;

    /// Returns the call in JSON that stands within the marks of a call of a tool, in a form that [`fit`](Self::fit)
    /// takes. `header` is the text between the mark and the JSON. `None` if no such call can be made.
    fn marked_call(&self, header: &str, value: &Value) -> Option<Value> {
        let _ = (header, value);
        None
    }

    /// Returns issues for the losses that the output does not allow.
    fn disallowed_losses(&self, repairs: &Repairs) -> Issues {
        let losses = repairs.iter().filter(|repair| repair.class() == RepairClass::Loss);
        let refused = losses.filter(|repair| !self.allows_loss(repair.path()));
        let mut issues: Issues = refused
            .map(|repair| Issue::new(format_path(repair.path()), repair.description()))
            .collect();
        if repairs.omitted(RepairClass::Loss) > 0 {
            issues.push("$", "too much of the reply would be lost");
        }
        issues
    }
}

/// The result of coercing a value.
#[derive(Debug, Clone, PartialEq)]
pub struct CoercionResult {
    /// The coerced value, in the expected form as far as possible.
    pub value: Value,
    /// The repairs, including losses that are not allowed.
    pub repairs: Repairs,
    /// The remaining errors and ambiguities.
    pub issues: Issues,
    /// Whether the value resembles the expected form, so that it was probably meant as the answer.
    pub resembles_target: bool,
}

impl CoercionResult {
    /// Prepends the repairs of an earlier stage.
    pub fn with_earlier_repairs(self, mut repairs: Repairs) -> Self {
        repairs.append(self.repairs);
        Self { repairs, ..self }
    }
}

impl<T: Target + ?Sized> Target for &T {
    fn fit(&self, value: Value) -> CoercionResult {
        (**self).fit(value)
    }

    fn allows_loss(&self, path: &[PathSegment]) -> bool {
        (**self).allows_loss(path)
    }

    fn accepts_bare(&self, text: &str) -> bool {
        (**self).accepts_bare(text)
    }
}
