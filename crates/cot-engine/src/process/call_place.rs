//! The place of a call in a run, from which its key is computed.

use crate::protocol::key::call_key::{CallKey, CallPart, VisitKey};

/// The place of a call in a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallPlace<'a> {
    /// The visits of the tasks that run the sub-processes, outermost first.
    pub(crate) outer: &'a [VisitKey],
    /// The name of the task when the visit began, if it was renamed since.
    pub(crate) renamed: Option<&'a str>,
    /// The number of the visit of the task, from 1.
    pub(crate) number: u32,
    /// The number of the attempt, from 1.
    pub(crate) attempt: u32,
    pub(crate) role: CallRole,
}

/// What is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallRole {
    /// The `run` of a task.
    Function,
    /// The async `check` of an output.
    Check,
    /// The tool call with this number.
    Tool(u32),
    /// Anything else that a task calls.
    Task,
}

impl CallPlace<'static> {
    /// The place of code that runs before the first task.
    pub(crate) const START: Self =
        Self { outer: &[], renamed: None, number: 0, attempt: 1, role: CallRole::Task };
}

impl CallPlace<'_> {
    /// Returns the key of the call within its run. That of a function or a tool does not have the attempt.
    pub(crate) fn key(&self, task: &'static str, item: Option<usize>) -> String {
        let visit = self.visit_key(task, item);
        let outer = (!self.outer.is_empty()).then(|| self.outer.into());
        let key = CallKey::new(outer, visit);
        match self.role {
            CallRole::Function => key.without_attempt(),
            CallRole::Tool(number) => key.with_part(CallPart::Tool(number)).without_attempt(),
            CallRole::Check => key.with_part(CallPart::Check).to_string(),
            CallRole::Task => key.to_string(),
        }
    }

    /// Returns the visit as part of a key.
    pub(crate) fn visit_key(&self, task: &'static str, item: Option<usize>) -> VisitKey {
        let task = self.renamed.map_or(task.into(), |before| before.to_owned().into());
        VisitKey { task, number: self.number, item, attempt: self.attempt }
    }
}
