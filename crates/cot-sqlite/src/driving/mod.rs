//! Which program drives a run, and which have died.

pub(crate) mod crash;
pub(crate) mod drafts;
pub(crate) mod lease;
pub(crate) mod owner;
pub(crate) mod pending_releases;
