//! The tools of a process: functions that models call within a task.

#[expect(missing_docs, reason = "tables that only the macro fills in; their names say it")]
pub(crate) mod code;
#[expect(missing_docs, reason = "tables that only the macro fills in; their names say it")]
pub(crate) mod definition;
pub(crate) mod source;
