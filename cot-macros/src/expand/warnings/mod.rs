//! Warnings about valid code that is probably unintended.

#[cfg(test)]
mod tests;
mod trust;
#[expect(clippy::module_inception, reason = "the file that the folder is about")]
mod warnings;

pub(crate) use warnings::warnings;
