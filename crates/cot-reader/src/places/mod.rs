//! Finds in the text of a reply where its values, repairs and issues are.

mod lookup;
#[expect(clippy::module_inception, reason = "the file of the type that the folder is about")]
pub(crate) mod places;
mod search;
#[cfg(test)]
mod tests;
