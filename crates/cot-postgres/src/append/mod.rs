//! Appending to a journal: the entries, the row of the run, what was spent, and the fencing token in one statement, which
//! writes those of several runs.

#[expect(clippy::module_inception, reason = "it is what the folder is named for")]
pub(crate) mod append;
pub(crate) mod batch;
pub(crate) mod change;
pub(crate) mod entries;
pub(crate) mod progress;
pub(crate) mod submit;
