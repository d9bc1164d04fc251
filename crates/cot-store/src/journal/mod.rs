//! Encoding of snapshots for a journal, and recovery of a run from it.

#[expect(clippy::module_inception, reason = "the file is named after what it writes and reads")]
pub(crate) mod journal;
#[cfg(test)]
mod tests;
