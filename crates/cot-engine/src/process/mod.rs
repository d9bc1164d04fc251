//! The contract between the macro and the engine: the types, tables and functions of a process.

pub(crate) mod bounds;
pub(crate) mod call_place;
pub(crate) mod child;
#[expect(missing_docs, reason = "tables that only the macro fills in; their names say it")]
pub(crate) mod code;
#[expect(missing_docs, reason = "what only the macro reads; their names say it")]
pub(crate) mod commit;
pub(crate) mod connection;
pub(crate) mod context;
pub(crate) mod effect;
pub(crate) mod environment;
pub(crate) mod examples;
pub(crate) mod host;
pub(crate) mod kinds;
pub(crate) mod limits;
pub(crate) mod list;
pub(crate) mod mock;
pub(crate) mod mock_mode;
pub(crate) mod options;
pub(crate) mod outline;
#[expect(clippy::module_inception, reason = "the file of the trait that the folder is about")]
pub(crate) mod process;
pub(crate) mod reading;
pub(crate) mod reserved;
pub(crate) mod retry;
pub(crate) mod schemas;
pub(crate) mod scope;
#[expect(missing_docs, reason = "tables that only the macro fills in; their names say it")]
pub(crate) mod tables;
#[expect(missing_docs, reason = "tables that only the macro fills in; their names say it")]
pub(crate) mod texts;
pub(crate) mod tool;
pub(crate) mod trust;
pub(crate) mod types;
