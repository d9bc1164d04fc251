//! Compares repeated polls of a machine.

use std::sync::Arc;

use cot_engine::{Action, Directive, Machine, Process, ResumeOptions, SnapshotError, TaskId};

/// Restores the run in another machine from its serialized snapshot.
pub(super) fn resume_from_snapshot<P: Process>(
    machine: &Machine<P>,
    context: &Arc<P::Context>,
) -> Result<Machine<P>, SnapshotError> {
    let text =
        serde_json::to_string(&machine.snapshot()?).map_err(SnapshotError::UnwritableState)?;
    let snapshot = serde_json::from_str(&text).map_err(SnapshotError::NotASnapshot)?;
    Machine::resume_with_context(snapshot, ResumeOptions::new(), Arc::clone(context), "monkey")
}

/// Compares two polls. The error describes the difference.
pub(super) fn same_directives<T: TaskId>(
    ones: &[Directive<T>],
    others: &[Directive<T>],
) -> Result<(), String> {
    same_value("the number of directives", &ones.len(), &others.len())?;
    ones.iter().zip(others).try_for_each(|(one, other)| {
        same_value("the id", &one.id, &other.id)?;
        same_value("the call", &one.key, &other.key)?;
        same_value("the time limit", &one.timeout, &other.timeout)?;
        same_action(&one.action, &other.action)
    })
}

fn same_action(one: &Action, other: &Action) -> Result<(), String> {
    match (one, other) {
        (Action::CallModel(one), Action::CallModel(other)) => {
            same_value("the engine", &one.engine, &other.engine)?;
            same_value("the prompt", &one.request.prompt(), &other.request.prompt())?;
            same_value("the request", &one.request, &other.request)
        }
        (Action::RunFunction(_), Action::RunFunction(_)) => Ok(()),
        (Action::AskHuman(one), Action::AskHuman(other)) => {
            same_value("the question", &one.text, &other.text)?;
            same_value("the issues", &one.issues, &other.issues)
        }
        (Action::Sleep { duration: one, .. }, Action::Sleep { duration: other, .. }) => {
            same_value("the duration", one, other)
        }
        _ => Err(format!("{one:?} became {other:?}")),
    }
}

pub(super) fn same_value<T: PartialEq + std::fmt::Debug>(
    what: &str,
    one: &T,
    other: &T,
) -> Result<(), String> {
    if one == other { Ok(()) } else { Err(format!("{what}: {}", difference(one, other))) }
}

/// The length of the excerpt before and after a difference.
const EXCERPT_BYTES: usize = 60;

/// Describes the first difference of two values.
fn difference(one: &impl std::fmt::Debug, other: &impl std::fmt::Debug) -> String {
    let (one, other) = (format!("{one:?}"), format!("{other:?}"));
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let shown = |text: &str| {
        let from = text.floor_char_boundary(same.saturating_sub(EXCERPT_BYTES));
        let to = text.floor_char_boundary(same.saturating_add(EXCERPT_BYTES));
        text[from..to].to_owned()
    };
    format!("`{}` became `{}`", shown(&one), shown(&other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_of_long_texts_is_quoted() {
        let texts = ["a", "b"].map(|end| format!("{}{end}{}", "ä".repeat(500), "ö".repeat(500)));
        let message = same_value("the prompt", &texts[0], &texts[1]).unwrap_err();
        assert!(message.starts_with("the prompt: `ä"), "{message}");
        assert!(
            message.contains("äaö") && message.contains("äbö") && message.len() < 600,
            "{message}"
        );
    }
}
