//! Checks the routes of `on`.

use super::kinds::rules_of;
use crate::model::{Model, Task};
use cot_syntax::{
    ON_FAILURES, OnRoute,
    diagnostics::{Errors, join_names, suggest},
};

/// Checks that `on` routes only known failures, and each only once.
pub(super) fn check_routes_are_known(model: &Model<'_>, errors: &Errors) {
    for task in &model.tasks {
        for (index, route) in routes(task).iter().enumerate() {
            let when = &route.when;
            if !ON_FAILURES.iter().any(|word| when == word) {
                errors.add_with_help(
                    when.span(),
                    format!("unknown failure `{when}` in `on`"),
                    match suggest(&when.to_string(), ON_FAILURES) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("the failures are {}", join_names(ON_FAILURES)),
                    },
                );
            } else if routes(task)[..index].iter().any(|other| other.when == *when) {
                errors.add_with_help(
                    when.span(),
                    format!("`{when}` has two routes"),
                    "remove one of the two",
                );
            }
        }
    }
}

/// Checks that the failures in `on` can occur in a task of this kind.
pub(super) fn check_routes_can_be_taken(model: &Model<'_>, errors: &Errors) {
    for task in model.tasks.iter().filter(|task| task.conflicting_kinds.is_none()) {
        let rules = rules_of(task.kind);
        let happens = rules.failures(task);
        let known =
            routes(task).iter().filter(|route| ON_FAILURES.iter().any(|word| route.when == word));
        for when in known.map(|route| &route.when) {
            if happens.is_empty()
                || happens.iter().any(|word| when == word)
                || (when == "interrupted" && effects_are_uncertain(model, task))
                || (when == "exhausted" && task.syntax.invalid.may_include(&["max_retries"]))
            {
                continue;
            }
            let kind = task.kind.describe();
            let help = match rules.explain_failure(task, when) {
                Some(help) => help.to_owned(),
                None => format!("{kind} can fail with {}", join_names(happens)),
            };
            errors.add_with_help(when.span(), format!("`{when}` can't happen to {kind}"), help);
        }
    }
}

/// Returns whether an invalid item may give the task an effect that happens once.
fn effects_are_uncertain(model: &Model<'_>, task: &Task<'_>) -> bool {
    model.syntax.invalid.may_include(&["tools"])
        || task.syntax.invalid.may_include(&["tools", "effect"])
}

fn routes<'a>(task: &Task<'a>) -> &'a [OnRoute] {
    task.syntax.items.on.as_ref().map_or(&[], |item| &item.value)
}
