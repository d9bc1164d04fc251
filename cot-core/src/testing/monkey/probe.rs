//! Looking twice: whether a machine says the same again.

use crate::{
    CodeCall, Directive, HumanCall, Machine, ModelCall, Process, ResumeOptions, SnapshotError,
};

/// The same run on another machine, by way of the text of its snapshot.
pub(super) fn resumed<P: Process>(machine: &Machine<P>) -> Result<Machine<P>, SnapshotError> {
    let text =
        serde_json::to_string(&machine.snapshot()?).map_err(SnapshotError::UnwritableState)?;
    let snapshot = serde_json::from_str(&text).map_err(SnapshotError::NotASnapshot)?;
    Machine::resume(snapshot, ResumeOptions::new())
}

/// Whether two directives are one; if not, what differs.
pub(super) fn same<P: Process>(one: &Directive<P>, other: &Directive<P>) -> Result<(), String> {
    match (one, other) {
        (Directive::Idle, Directive::Idle) => Ok(()),
        (Directive::CallModel(one), Directive::CallModel(other)) => same_model(one, other),
        (Directive::CallModels(ones), Directive::CallModels(others)) => {
            equal("the number of calls", &ones.len(), &others.len())?;
            ones.iter().zip(others).try_for_each(|(one, other)| same_model(one, other))
        }
        (Directive::RunCode(one), Directive::RunCode(other)) => same_code(one, other),
        (Directive::AskHuman(one), Directive::AskHuman(other)) => same_human(one, other),
        (Directive::Wait(one), Directive::Wait(other)) => {
            equal("the id", &one.id, &other.id)?;
            equal("the duration", &one.duration, &other.duration)
        }
        (Directive::Finished(one), Directive::Finished(other)) => equal("the outcome", one, other),
        _ => Err(format!("{one:?} became {other:?}")),
    }
}

fn same_model<P: Process>(one: &ModelCall<P>, other: &ModelCall<P>) -> Result<(), String> {
    equal("the id", &one.id, &other.id)?;
    equal("the call", &one.key(), &other.key())?;
    equal("the engine", &one.engine, &other.engine)?;
    equal("the time limit", &one.timeout, &other.timeout)?;
    equal("the prompt", &one.request.prompt(), &other.request.prompt())?;
    equal("the request", &one.request, &other.request)
}

fn same_code<P: Process>(one: &CodeCall<P>, other: &CodeCall<P>) -> Result<(), String> {
    equal("the id", &one.id, &other.id)?;
    equal("the call", &one.key(), &other.key())?;
    equal("the time limit", &one.timeout, &other.timeout)
}

fn same_human<P: Process>(one: &HumanCall<P>, other: &HumanCall<P>) -> Result<(), String> {
    equal("the id", &one.id, &other.id)?;
    equal("the call", &one.key(), &other.key())?;
    equal("the time limit", &one.timeout, &other.timeout)?;
    equal("the question", &one.question.text, &other.question.text)?;
    equal("the issues", &one.question.issues, &other.question.issues)
}

fn equal<T: PartialEq + std::fmt::Debug>(what: &str, one: &T, other: &T) -> Result<(), String> {
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
