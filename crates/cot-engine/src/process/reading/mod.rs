//! How the replies to a task are read.

#[expect(missing_docs, reason = "tables that only the macro fills in; their names say it")]
pub(crate) mod code;
pub(crate) mod format;
pub(crate) mod host;
