//! How a run is written to its journal, and read back.

#[expect(clippy::module_inception, reason = "the file is named after what it writes and reads")]
pub(crate) mod journal;
#[cfg(test)]
mod tests;
