//! The item tables, one per file.

pub(crate) mod at_most;
pub(crate) mod budget;
pub(crate) mod history;
pub(crate) mod process;
pub(crate) mod read;
pub(crate) mod retry;
pub(crate) mod settings;
pub(crate) mod task;
pub(crate) mod tool;
