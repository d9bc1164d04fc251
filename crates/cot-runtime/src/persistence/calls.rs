//! Rounds of calls whose tools may be others when the run resumes.

use cot_engine::{
    RunEvent,
    internal::{Definition, TaskDefinition, ToolSelection},
};

/// Returns whether a task begins a round of calls that the state holds, or of tools that the declaration does not list.
///
/// The position is recorded then, with the calls in it. A run that resumes would otherwise read them again, and
/// events that answer them would answer others if a tool is gone meanwhile.
pub(super) fn begins_calls(note: &RunEvent, definition: &'static Definition) -> bool {
    let find = |name: &str| -> Option<&'static TaskDefinition> {
        definition.tasks.iter().find(|task| task.about.name == name)
    };
    match note {
        RunEvent::ToolCalled { task, .. } => {
            let is_whole = |tool: &usize| {
                let tool = definition.tools.tools.get(*tool);
                tool.is_some_and(|tool| tool.selection == ToolSelection::All)
            };
            find(task).is_some_and(|task| {
                task.kind.calls().is_some() || task.kind.tools().iter().any(is_whole)
            })
        }
        RunEvent::Nested { task, event, .. } if calls_tool(event) => {
            let inner = find(task).and_then(|task| task.kind.process());
            inner.is_some_and(|inner| begins_calls(event, inner))
        }
        _ => false,
    }
}

fn calls_tool(note: &RunEvent) -> bool {
    match note {
        RunEvent::ToolCalled { .. } => true,
        RunEvent::Nested { event, .. } => calls_tool(event),
        _ => false,
    }
}
