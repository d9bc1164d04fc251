//! Warnings about valid code that is probably unintended.

#[cfg(test)]
mod tests;
mod warning;
#[expect(clippy::module_inception, reason = "the file that the folder is about")]
mod warnings;

pub(super) use warning::Warning;
pub(crate) use warnings::warnings;
