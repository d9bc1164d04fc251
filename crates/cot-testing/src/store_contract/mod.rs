//! The contract of stores, as tests.

pub(crate) mod answers;
pub(crate) mod blobs;
pub(crate) mod contract;
pub(crate) mod journals;
pub(crate) mod leases;
pub(crate) mod queue;
mod records;
pub(crate) mod summaries;
pub(crate) mod support;
