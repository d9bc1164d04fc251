//! The contract of stores, as tests.

pub(crate) mod answers;
pub(crate) mod blobs;
mod cancels;
pub(crate) mod contract;
mod drafts;
pub(crate) mod journals;
pub(crate) mod leases;
mod lists;
mod processes;
pub(crate) mod queue;
mod records;
mod spending;
pub(crate) mod summaries;
pub(crate) mod support;
