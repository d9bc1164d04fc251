//! Coverage of tasks, transitions, routes and retries by a test suite.

pub(crate) mod counts;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod coverage;
pub(crate) mod declared;
pub(crate) mod table;
