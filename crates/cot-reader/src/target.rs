//! What a reply is read for.

use cot_schema::{
    Issue, Issues,
    internal::{Step, path_of},
};
use serde_json::Value;

use super::repair::{class::RepairClass, repairs::Repairs};

/// What a reply is read for: it says how well a value fits, once it has brought it into the form that
/// is expected, as far as that can be done without a guess.
pub trait Target {
    /// Brings a value into the expected form, and checks it.
    fn fit(&self, value: Value) -> Fit;

    /// Whether the output allows that something is lost at a path.
    fn allows_loss(&self, path: &[Step]) -> bool;

    /// Whether a text without any JSON may be the value: a bare word, number or sentence.
    fn takes_bare(&self, text: &str) -> bool;

    /// The repairs that lose something which the output does not allow to be lost, as issues.
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

/// A value in the expected form, or as near to it as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The value.
    pub value: Value,
    /// What had to be changed; losses among them, whether they are allowed or not.
    pub repairs: Repairs,
    /// What is wrong with the value all the same, and what could mean two things.
    pub issues: Issues,
    /// Whether it was meant as the answer: it has something of what is expected.
    pub is_kin: bool,
}

impl Fit {
    /// The same after repairs that came before.
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
