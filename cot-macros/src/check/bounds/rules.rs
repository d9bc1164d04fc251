//! Proves `at_most`.

use cot_bounds::Quantity;
use cot_syntax::{AtMostItems, Slot, diagnostics::Errors};
use syn::LitInt;

use super::{causes::Cause, evaluate::Evaluated, plan::Plan};
use crate::model::Model;

/// Checks that `at_most` limits something.
pub(in crate::check) fn check_at_most_limits_something(model: &Model<'_>, errors: &Errors) {
    let Some(item) = &model.syntax.items.at_most else { return };
    if limits(&item.value).into_iter().all(|(_, limit)| limit.is_none()) {
        errors.add_with_help(
            item.key.span(),
            "`at_most` limits nothing",
            "write `at_most: { calls: 60, output_tokens: 90000, questions: 3 }`, or some of these",
        );
    }
}

/// Checks that no run exceeds `at_most`. With sub-processes, a generated constant checks it.
pub(in crate::check) fn check_at_most_is_kept(plan: &Plan<'_>, model: &Model<'_>, errors: &Errors) {
    let Some(item) = &model.syntax.items.at_most else { return };
    let Some(costs) = Evaluated::new(plan) else { return };
    for (quantity, literal) in limits(&item.value) {
        let Some(literal) = literal.as_ref().map(|limit| &limit.value) else { continue };
        // A number that does not fit has been reported.
        let Ok(limit) = literal.base10_parse::<u64>() else { continue };
        let cost = costs.run.bound(quantity);
        if cost.is_within(limit) {
            continue;
        }
        let name = &model.syntax.name;
        match cost.get() {
            Some(number) => errors.add_with_help(
                literal.span(),
                format!(
                    "a run of `{name}` can have {number} {quantity}, and `at_most` allows {limit}"
                ),
                format!(
                    "{}: make this path cheaper, or allow {number}",
                    costs.terms(quantity, model).join(", "),
                ),
            ),
            None => {
                let help = Cause::find_for(quantity, plan, model).map_or_else(
                    || "the number does not fit into 64 bits".to_owned(),
                    |Cause { text, help, .. }| format!("{text}: {help}"),
                );
                let message = format!(
                    "the {quantity} of a run of `{name}` have no bound, and `at_most` allows {limit}"
                );
                errors.add_with_help(literal.span(), message, help);
            }
        }
    }
}

/// Returns the limits with what they limit.
pub(crate) fn limits(items: &AtMostItems) -> [(Quantity, &Slot<LitInt>); 3] {
    [
        (Quantity::ModelCalls, &items.calls),
        (Quantity::OutputTokens, &items.output_tokens),
        (Quantity::Questions, &items.questions),
    ]
}
