//! Captures of the calls of a run, and replays without a model.

#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod capture;
pub(crate) mod compare;
pub(crate) mod diff;
pub(crate) mod error;
pub(crate) mod format;
pub(crate) mod key_patterns;
pub(crate) mod lines;
pub(crate) mod replay;
pub(crate) mod scrub;
#[cfg(test)]
mod tests;
