//! Which program drives a run, and which have died.

pub(crate) mod drafts;
pub(crate) mod driven;
pub(crate) mod lease;
pub(crate) mod owners;
