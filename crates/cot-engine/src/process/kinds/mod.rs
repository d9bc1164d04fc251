//! What belongs to the kinds of tasks.

pub(crate) mod group;
pub(crate) mod info;
#[expect(missing_docs, reason = "tables that only the macro fills in; their names say it")]
pub(crate) mod settings;
