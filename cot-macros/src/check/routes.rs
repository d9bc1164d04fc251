//! Checks transitions, the choices of `process_output` and the arms of `next`.

use std::collections::BTreeSet;

use proc_macro2::Ident;

use crate::model::{Edge, Model, same_tokens};
use cot_syntax::{TaskKind, Transition, diagnostics::Errors};

/// Checks that each of several transitions to one task can be offered. The first whose guard holds is.
pub(super) fn check_transitions_are_distinct(model: &Model<'_>, errors: &Errors) {
    for task in &model.tasks {
        let mut seen: Vec<&Transition> = Vec::new();
        for edge in &task.transitions {
            let Transition { target, guard, .. } = edge.syntax;
            let mut same = seen.iter().filter(|other| other.target == *target);
            let hides = |other: &&&Transition| match (&other.guard, guard) {
                (None, _) => true,
                (Some(one), Some(other)) => same_tokens(one, other),
                (Some(_), None) => false,
            };
            if let Some(first) = same.find(hides) {
                // A misspelled name is resolved to the most similar one, but reported under its own name.
                let help = match (&first.guard, guard) {
                    (None, Some(_)) => {
                        "the first one has no guard, so this one is never offered: add a guard to the first, or remove one of the two"
                    }
                    _ => "remove one of the two, or give them different guards",
                };
                let message = format!("transition to `{target}` is given twice");
                errors.add_with_help(target.span(), message, help);
            }
            seen.push(edge.syntax);
        }
    }
}

/// Checks that there are choices of `process_output`, and that they are distinct.
pub(super) fn check_choices(model: &Model<'_>, errors: &Errors) {
    for task in &model.tasks {
        report_repeated(&task.choices, |name| name, "choice of", errors);
        let process = task.syntax.items.process_output.as_ref();
        if process.is_some_and(|item| item.value.choices.as_ref().is_some_and(|it| it.0.is_empty()))
        {
            let key = process.map_or(task.name().span(), |item| item.key.span());
            errors.add_with_help(
                key,
                "the list of tasks that `process_output` can choose is empty",
                "name tasks: `process_output: path -> [a, b]`, or leave the list out",
            );
        }
    }
}

fn report_repeated<T>(edges: &[Edge<'_, T>], name: fn(&T) -> &Ident, what: &str, errors: &Errors) {
    let mut named = BTreeSet::new();
    for edge in edges {
        let name_of = name(edge.syntax);
        // A misspelled name is resolved to the most similar one, but reported under its own name.
        if !named.insert(name_of.to_string()) {
            errors.add_with_help(
                name_of.span(),
                format!("{what} `{name_of}` is given twice"),
                "remove one of the two",
            );
        }
    }
}

/// Checks that a task without an output has at least one transition if it has `transitions`.
pub(super) fn check_transitions_lead_somewhere(model: &Model<'_>, errors: &Errors) {
    for task in &model.tasks {
        let Some(transitions) = &task.syntax.items.transitions else {
            continue;
        };
        let is_empty =
            transitions.value.is_empty() && !task.syntax.invalid.may_include(&["transitions"]);
        if task.kind == TaskKind::Ai && task.output.is_none() && is_empty {
            errors.add_with_help(
                transitions.key.span(),
                "`transitions` leads nowhere",
                "name the tasks between which the model chooses: \
                 `transitions: { task: \"when to choose it\", … }`",
            );
        }
    }
}

/// Checks that a task without an output has a transition without a guard, so that the model always has a
/// choice.
pub(super) fn check_a_transition_is_always_visible(model: &Model<'_>, errors: &Errors) {
    for task in &model.tasks {
        let Some(transitions) = &task.syntax.items.transitions else {
            continue;
        };
        let asks = task.kind == TaskKind::Ai && task.output.is_none() && !task.incomplete;
        let guarded = transitions.value.iter().all(|transition| transition.guard.is_some());
        if asks && guarded && !transitions.value.is_empty() {
            errors.add_with_help(
                transitions.key.span(),
                format!("every transition of task `{}` is guarded", task.name()),
                "when no guard holds, the model has nothing to choose: \
                 leave one transition unguarded, or give the task an output",
            );
        }
    }
}

/// Checks that the last arm of `next`, and no other, has no guard.
pub(super) fn check_guards_of_next(model: &Model<'_>, errors: &Errors) {
    for task in &model.tasks {
        let Some(next) = &task.syntax.items.next else {
            continue;
        };
        let arms = &next.value.arms;
        if arms.is_empty() && !task.syntax.invalid.may_include(&["next"]) {
            errors.add_with_help(
                next.key.span(),
                "`next` leads nowhere",
                "name a task: `next: task`, or `next: { task if guard, task }`",
            );
        }
        let open = arms.iter().position(|arm| arm.guard.is_none());
        // The guard of an invalid arm may be missing.
        let is_valid = !task.syntax.invalid.may_include(&["next"]);
        if let Some(open) = open.filter(|_| is_valid) {
            for arm in &arms[open + 1..] {
                errors.add_with_help(
                    arm.target.span(),
                    format!("this arm to `{}` is never taken", arm.target),
                    format!(
                        "`{}` before it has no guard: move that arm to the end",
                        arms[open].target
                    ),
                );
            }
        } else if let (Some(last), false) = (arms.last(), task.incomplete) {
            errors.add_with_help(
                last.target.span(),
                "the last arm of `next` must not have a guard",
                "when no guard holds, the task would have nowhere to go",
            );
        }
    }
}

/// Checks that a task with `may_end` does not lead to another task.
pub(super) fn check_may_end_applies(model: &Model<'_>, errors: &Errors) {
    for task in model.tasks.iter().filter(|task| !task.incomplete) {
        let Some(may_end) = &task.syntax.items.may_end else {
            continue;
        };
        let way = if !task.choices.is_empty() {
            "its `process_output` chooses where to go"
        } else if !task.next.is_empty() {
            "it has `next`"
        } else if task.in_sequence.is_some() {
            "it continues with the next task of its sequence"
        } else if model.default_return.is_some() {
            "it continues with `default_return`"
        } else {
            continue;
        };
        errors.add_with_help(
            may_end.key.span(),
            format!("the process never ends with task `{}`: {way}", task.name()),
            "remove `may_end`, or the item that leads to another task",
        );
    }
}
