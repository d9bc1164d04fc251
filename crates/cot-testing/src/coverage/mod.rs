//! Which tasks, transitions, routes and retries the runs of a test suite have exercised.

#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod coverage;
pub(crate) mod exercised;
pub(crate) mod table;
pub(crate) mod universe;
