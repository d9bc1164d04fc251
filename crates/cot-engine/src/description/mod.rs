//! Descriptions of processes, generated from their static tables.

#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod description;
pub(crate) mod dot;
pub(crate) mod edges;
pub(crate) mod facts;
pub(crate) mod gather;
mod layout;
pub(crate) mod outline;
pub(crate) mod text;
