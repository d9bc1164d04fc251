//! Snapshots: the data of a run, the fingerprint of its process, and the comparison with the present version.

mod access;
pub(crate) mod compatibility;
pub(crate) mod compute;
pub(crate) mod conflict;
pub(crate) mod data;
pub(crate) mod difference;
pub(crate) mod error;
pub(crate) mod fingerprint;
pub(crate) mod fit;
pub(crate) mod migration;
pub(crate) mod once_calls;
pub(crate) mod options;
mod position;
mod rename;
pub(crate) mod tools;
pub(crate) mod version_manifest;
