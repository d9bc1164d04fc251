//! A process: its types, its static tables, and what templates and updates see of a run.

pub(crate) mod commit;
pub(crate) mod mock;
pub(crate) mod process;
pub(crate) mod schemas;
pub(crate) mod scope;
#[expect(missing_docs, reason = "tables that only the macro fills in; their names say it")]
pub(crate) mod tables;
