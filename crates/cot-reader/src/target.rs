//! The expected form of a reply.

use cot_schema::{
    Issue, Issues,
    internal::{Step, path_of},
};
use serde_json::Value;

use super::repair::{class::RepairClass, repairs::Repairs};

/// The expected form of a reply: coerces values to it, without guessing, and checks them.
pub trait Target {
    /// Coerces a value to the expected form and checks it.
    fn fit(&self, value: Value) -> Fit;

    /// Returns whether the output allows loss at a path.
    fn allows_loss(&self, path: &[Step]) -> bool;

    /// Returns whether a reply without JSON, such as a word, number or sentence, may be the value.
    fn takes_bare(&self, text: &str) -> bool;

    /// Returns issues for the losses that the output does not allow.
    fn refused_losses(&self, repairs: &Repairs) -> Issues {
        let losses = repairs.iter().filter(|repair| repair.class() == RepairClass::Loss);
        let refused = losses.filter(|repair| !self.allows_loss(repair.path()));
        let mut issues: Issues =
            refused.map(|repair| Issue::new(path_of(repair.path()), repair.what())).collect();
        if repairs.omitted(RepairClass::Loss) > 0 {
            issues.push("$", "too much of the reply would be lost");
        }
        issues
    }
}

/// The result of coercing a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The coerced value, in the expected form as far as possible.
    pub value: Value,
    /// The repairs, including losses that are not allowed.
    pub repairs: Repairs,
    /// The remaining errors and ambiguities.
    pub issues: Issues,
    /// Whether the value resembles the expected form, so that it was probably meant as the answer.
    pub is_kin: bool,
}

impl Fit {
    /// Prepends the repairs of an earlier stage.
    pub fn after(self, mut repairs: Repairs) -> Self {
        repairs.append(self.repairs);
        Self { repairs, ..self }
    }
}

impl<T: Target + ?Sized> Target for &T {
    fn fit(&self, value: Value) -> Fit {
        (**self).fit(value)
    }

    fn allows_loss(&self, path: &[Step]) -> bool {
        (**self).allows_loss(path)
    }

    fn takes_bare(&self, text: &str) -> bool {
        (**self).takes_bare(text)
    }
}
