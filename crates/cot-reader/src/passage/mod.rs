//! Finds the values of an output in the texts that they are taken from.

mod characters;
mod exact;
pub(crate) mod finder;
mod normal;
mod numbers;
#[expect(clippy::module_inception, reason = "the file of the type that the folder is about")]
pub(crate) mod passage;
mod source;
#[cfg(test)]
mod tests;
pub(crate) mod values;
