//! Runs the checks of `#[cot(…)]` attributes.

#[expect(clippy::module_inception, reason = "the file of the type that the folder is about")]
pub(crate) mod checker;
mod walk;
