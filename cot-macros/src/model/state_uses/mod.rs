//! Finds the uses of state fields in an expression.

#[expect(clippy::module_inception, reason = "the file that the folder is about")]
mod state_uses;
#[cfg(test)]
mod tests;

pub(crate) use state_uses::{FieldUse, StateUses};
