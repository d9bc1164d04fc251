//! Schemas as types, the form in which models are shown the format of a reply.

mod layout;
#[expect(clippy::module_inception, reason = "the file of the function that the folder is about")]
pub(crate) mod notation;
mod notes;
mod shapes;
#[cfg(test)]
mod tests;
