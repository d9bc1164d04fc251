//! Looking twice: whether a machine says the same again.

use cot_engine::{Action, Directive, Machine, Process, ResumeOptions, SnapshotError, TaskId};

/// The same run on another machine, by way of the text of its snapshot.
pub(super) fn resumed<P: Process>(machine: &Machine<P>) -> Result<Machine<P>, SnapshotError> {
    let text =
        serde_json::to_string(&machine.snapshot()?).map_err(SnapshotError::UnwritableState)?;
    let snapshot = serde_json::from_str(&text).map_err(SnapshotError::NotASnapshot)?;
    Machine::resume(snapshot, ResumeOptions::new())
}

/// Whether two polls are one; if not, what differs.
pub(super) fn same<T: TaskId>(
    ones: &[Directive<T>],
    others: &[Directive<T>],
) -> Result<(), String> {
    equal("the number of directives", &ones.len(), &others.len())?;
    ones.iter().zip(others).try_for_each(|(one, other)| {
        equal("the id", &one.id, &other.id)?;
        equal("the call", &one.key, &other.key)?;
        equal("the time limit", &one.timeout, &other.timeout)?;
        same_action(&one.action, &other.action)
    })
}

fn same_action(one: &Action, other: &Action) -> Result<(), String> {
    match (one, other) {
        (Action::CallModel(one), Action::CallModel(other)) => {
            equal("the engine", &one.engine, &other.engine)?;
            equal("the prompt", &one.request.prompt(), &other.request.prompt())?;
            equal("the request", &one.request, &other.request)
        }
        (Action::RunFunction(_), Action::RunFunction(_)) => Ok(()),
        (Action::AskHuman(one), Action::AskHuman(other)) => {
            equal("the question", &one.text, &other.text)?;
            equal("the issues", &one.issues, &other.issues)
        }
        (Action::Sleep { duration: one, .. }, Action::Sleep { duration: other, .. }) => {
            equal("the duration", one, other)
        }
        _ => Err(format!("{one:?} became {other:?}")),
    }
}

pub(super) fn equal<T: PartialEq + std::fmt::Debug>(
    what: &str,
    one: &T,
    other: &T,
) -> Result<(), String> {
    if one == other { Ok(()) } else { Err(format!("{what}: {}", difference(one, other))) }
}

/// How much is shown before and after the place where two texts part.
const AROUND: usize = 60;

/// Where two things part, of whatever length.
fn difference(one: &impl std::fmt::Debug, other: &impl std::fmt::Debug) -> String {
    let (one, other) = (format!("{one:?}"), format!("{other:?}"));
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let shown = |text: &str| {
        let from = text.floor_char_boundary(same.saturating_sub(AROUND));
        let to = text.floor_char_boundary(same.saturating_add(AROUND));
        text[from..to].to_owned()
    };
    format!("`{}` became `{}`", shown(&one), shown(&other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_shown_where_they_part() {
        let texts = ["a", "b"].map(|end| format!("{}{end}{}", "ä".repeat(500), "ö".repeat(500)));
        let said = equal("the prompt", &texts[0], &texts[1]).unwrap_err();
        assert!(said.starts_with("the prompt: `ä"), "{said}");
        assert!(said.contains("äaö") && said.contains("äbö") && said.len() < 600, "{said}");
    }
}
