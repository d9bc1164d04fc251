//! The events of a machine, as they start and end spans.

use cot_engine::{RunEvent, TaskName};

use crate::trace::{
    open_calls::OpenCalls,
    span_event::{SpanEnd, SpanEvent},
    span_ref::SpanRef,
    tree::Level,
};

/// The open tasks of a process that an event is about, and the span around them.
pub(super) struct EventTarget<'a> {
    pub(super) around: &'a SpanRef,
    pub(super) level: &'a mut Level,
    pub(super) calls: &'a mut OpenCalls,
}

impl EventTarget<'_> {
    pub(super) fn event<T, O>(&mut self, event: &RunEvent<T, O>, name: &dyn Fn(&T) -> &str) {
        match event {
            RunEvent::TaskStarted { task, step, .. } => {
                self.level.start(self.around, (name(task), Some(*step)), self.calls);
            }
            RunEvent::TaskFinished { task, next, route } => {
                let end = SpanEnd::Task { next: next.as_ref().map(name), route: *route };
                self.level.end_task(name(task), &end, self.calls);
            }
            RunEvent::Nested { task, item, event, .. } => {
                self.nested(name(task), *item, event);
            }
            RunEvent::BranchEnded { task, branch, outcome } => {
                let (task, branch) = (name(task), name(branch));
                self.level.end_branch(task, branch, self.calls);
                self.task_event(task, &SpanEvent::BranchEnded { branch, outcome });
            }
            RunEvent::Asked { task, question } => {
                self.task_event(name(task), &SpanEvent::Asked(question));
            }
            RunEvent::Waiting { task, duration } => {
                self.task_event(name(task), &SpanEvent::Waiting(*duration));
            }
            RunEvent::StateUpdated { .. } => self.around.event(&SpanEvent::StateUpdated),
            RunEvent::Paused => self.around.event(&SpanEvent::Paused),
            // The end of a sub-process; that of the run is the end of its driver.
            RunEvent::Finished { .. } => self.level.end_all(self.calls),
            event => self.result(event, name),
        }
    }

    /// Handles the events of attempts, items and tool calls.
    fn result<T, O>(&mut self, event: &RunEvent<T, O>, name: &dyn Fn(&T) -> &str) {
        let calls = &mut *self.calls;
        let Some(open) = event.task().and_then(|task| self.level.find(name(task))) else { return };
        match event {
            RunEvent::Repaired { item, repairs, .. } => {
                open.attempt_event(*item, &SpanEvent::Repaired { repairs: repairs.len() });
            }
            RunEvent::AttemptFailed { attempt, will_retry, .. } => {
                let failed = SpanEvent::AttemptFailed { attempt, will_retry: *will_retry };
                open.attempt_event(attempt.item, &failed);
                open.end_attempt(attempt.item, &SpanEnd::Failed(attempt), calls);
            }
            RunEvent::ItemDone { item, usage, elapsed, .. } => {
                open.end_attempt(Some(*item), &SpanEnd::Accepted, calls);
                let (item, elapsed) = (Some(*item), *elapsed);
                open.span.event(&SpanEvent::Committed { item, usage, elapsed });
            }
            RunEvent::ItemFailed { item, reason, .. } => {
                open.end_item(*item, calls);
                open.span.event(&SpanEvent::ItemFailed { item: *item, reason });
            }
            RunEvent::Committed { usage, elapsed, .. } => {
                open.end_attempt(None, &SpanEnd::Accepted, calls);
                let (item, elapsed) = (None, *elapsed);
                open.span.event(&SpanEvent::Committed { item, usage, elapsed });
            }
            RunEvent::Transitioned { go_to, usage, elapsed, .. } => {
                open.end_attempt(None, &SpanEnd::Accepted, calls);
                let (go_to, elapsed) = (name(go_to), *elapsed);
                open.span.event(&SpanEvent::Transitioned { go_to, usage, elapsed });
            }
            RunEvent::ToolCalled { call, tool, .. } => {
                open.tools.insert(*call, tool.clone());
                open.span.event(&SpanEvent::ToolCalled { call: *call, tool });
            }
            RunEvent::ToolReturned { call, tool, result, elapsed, .. } => {
                open.tools.remove(call);
                let (call, is_ok, elapsed) = (*call, result.is_ok(), *elapsed);
                open.span.event(&SpanEvent::ToolReturned { call, tool, is_ok, elapsed });
            }
            // Prompts and chunks are no part of spans.
            _ => {}
        }
    }

    fn nested(&mut self, task: &str, item: Option<usize>, event: &RunEvent) {
        let calls = &mut *self.calls;
        let Some(open) = self.level.find_or_start(self.around, task, calls) else { return };
        if let Some((level, around)) = open.inner(item, calls) {
            let mut target = EventTarget { around: &around, level, calls };
            target.event(event, &|name: &TaskName| name);
        }
    }

    /// Delivers an event to a task, or to what is around it if the task has not started.
    fn task_event(&mut self, task: &str, event: &SpanEvent<'_>) {
        self.level.find(task).map_or(self.around, |open| &open.span).event(event);
    }
}
