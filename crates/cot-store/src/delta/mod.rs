//! Deltas between two texts.

#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod delta;
mod search;
#[cfg(test)]
mod tests;
