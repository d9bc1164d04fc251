//! The calls of a pending round in a snapshot, whose arguments are whole.

use cot_engine::RunEvent;
use serde::Deserialize;
use serde_json::Value;

use super::{step::StepHistory, tool_call::complete};

/// A tool call whose run event contains only the beginning of its arguments.
pub(super) struct CutCall {
    /// The task, after those that run its sub-process; each with its item.
    path: Vec<(String, Option<usize>)>,
    number: u32,
}

impl CutCall {
    /// Returns the call of a run event, if the event contains only the beginning of its arguments.
    pub(super) fn find(note: &RunEvent) -> Option<Self> {
        match note {
            RunEvent::ToolCalled { task, call, arguments, .. } if arguments.ends_with('…') => {
                Some(Self { path: vec![(task.to_string(), None)], number: *call })
            }
            RunEvent::Nested { task, item, event, .. } => {
                let mut inner = Self::find(event)?;
                inner.path.insert(0, (task.to_string(), *item));
                Some(inner)
            }
            _ => None,
        }
    }
}

/// Completes the arguments of calls whose round is pending in a snapshot.
pub(super) fn complete_from_position(steps: &mut [StepHistory], cut: &[CutCall], snapshot: &str) {
    #[derive(Deserialize)]
    struct Snapshot {
        position: Value,
    }
    if cut.is_empty() {
        return;
    }
    let Ok(Snapshot { position }) = serde_json::from_str(snapshot) else { return };
    for CutCall { path, number } in cut {
        let arguments = find_arguments(&position, path, *number);
        let Some(step) = arguments.and(find_step(steps, path, None)) else { continue };
        let call = step.tools.iter_mut().find(|call| call.number == *number);
        if let (Some(call), Some(arguments)) = (call, arguments) {
            complete(&mut call.arguments, arguments);
        }
    }
}

fn find_step<'s>(
    steps: &'s mut [StepHistory],
    path: &[(String, Option<usize>)],
    of_item: Option<usize>,
) -> Option<&'s mut StepHistory> {
    let ((task, item), inner) = path.split_first()?;
    let step = steps.iter_mut().rfind(|step| step.task == *task && step.item == of_item)?;
    if inner.is_empty() { Some(step) } else { find_step(&mut step.nested, inner, *item) }
}

/// Returns the arguments of a call in the pending round of a task.
fn find_arguments<'p>(
    position: &'p Value,
    path: &[(String, Option<usize>)],
    number: u32,
) -> Option<&'p str> {
    let ((task, item), inner) = path.split_first()?;
    let (_, at) = position.as_object()?.iter().next()?;
    if let Some(branches) = at.get("branches").and_then(Value::as_array) {
        let in_branch = |branch: &'p Value| find_arguments(branch.get("position")?, path, number);
        return branches.iter().find_map(in_branch);
    }
    if at.get("visit")?.get("task")?.as_str()? != task {
        return None;
    }
    if inner.is_empty() {
        let round = at.get("tools")?.get("pending")?;
        let first = u32::try_from(round.get("first")?.as_u64()?).ok()?;
        let index = usize::try_from(number.checked_sub(first)?).ok()?;
        return round.get("calls")?.get(index)?.get("call")?.get("arguments")?.as_str();
    }
    let running = match item {
        None => at,
        Some(item) => {
            let is_it =
                |slot: &&Value| slot.get("item").and_then(Value::as_u64) == Some(*item as u64);
            at.get("asked")?.as_array()?.iter().find(is_it)?
        }
    };
    find_arguments(running.get("process")?.get("position")?, inner, number)
}
