//! The tools of a process: functions that models call within a task.

pub(crate) mod approval;
pub(crate) mod bounds;
#[expect(missing_docs, reason = "tables that only the macro fills in; their names say it")]
pub(crate) mod code;
#[expect(missing_docs, reason = "tables that only the macro fills in; their names say it")]
pub(crate) mod definition;
pub(crate) mod host;
pub(crate) mod source;

#[cfg(test)]
mod tests;
