//! Snapshots: the data of a run, and the fingerprint of its process.

pub(crate) mod compute;
pub(crate) mod data;
pub(crate) mod error;
pub(crate) mod fields;
pub(crate) mod fingerprint;
pub(crate) mod options;
pub(crate) mod shape;
