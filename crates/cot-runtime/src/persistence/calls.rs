//! Rounds of calls that the state holds.

use cot_engine::{
    RunEvent,
    internal::{Definition, TaskDefinition},
};

/// Returns whether a task begins to perform the calls of its state.
///
/// The position is recorded then, with the calls in it. A run that resumes would otherwise read them again, and
/// events that answer them would answer others if a tool is gone meanwhile. Items do not count: a for-each task is
/// one step.
pub(super) fn begins_calls(note: &RunEvent, definition: &'static Definition) -> bool {
    let find = |name: &str| -> Option<&'static TaskDefinition> {
        definition.tasks.iter().find(|task| task.about.name == name)
    };
    match note {
        RunEvent::ToolCalled { task, call: 1, .. } => {
            find(task).is_some_and(|task| task.kind.calls().is_some())
        }
        RunEvent::Nested { task, item: None, event, .. } => {
            let inner = find(task).and_then(|task| task.kind.process());
            inner.is_some_and(|inner| begins_calls(event, inner))
        }
        _ => false,
    }
}
