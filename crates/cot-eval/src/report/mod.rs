//! The results of an eval.

pub(crate) mod agreement;
mod chance;
pub(crate) mod comparison;
pub(crate) mod interval;
#[expect(clippy::module_inception, reason = "the folder holds what belongs to a report")]
pub(crate) mod report;
pub(crate) mod result;
pub(crate) mod summary;
mod table;
