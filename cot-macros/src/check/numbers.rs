//! Checks numbers.

use cot_syntax::{Number, ProcessItems, Range, TaskItems, ValueView, diagnostics::Errors};
use syn::{Lit, LitInt};

use crate::model::Model;

/// Checks that numbers are in the range that the engine accepts.
pub(super) fn check_numbers_fit(model: &Model<'_>, errors: &Errors) {
    for (row, item) in ProcessItems::TABLE.items(&model.syntax.items) {
        check_value(row.range, &item.value, errors);
    }
    for task in &model.tasks {
        for (row, item) in TaskItems::TABLE.items(&task.syntax.items) {
            check_value(row.range, &item.value, errors);
        }
    }
}

/// Checks that a budget sets at least one limit.
pub(super) fn check_budgets_bound_something(model: &Model<'_>, errors: &Errors) {
    let Some(item) = &model.syntax.items.budget else { return };
    let budget = &item.value;
    if budget.tokens.is_none() && budget.calls.is_none() && budget.cost.is_none() {
        errors.add_with_help(
            item.key.span(),
            "`budget` sets no limit",
            "write `budget: { tokens: 100000, calls: 50, cost: 2.5 }`, or some of these",
        );
    }
}

/// Checks that a task does not have both `max_retries` and `retry`.
pub(super) fn check_retries_are_given_once(model: &Model<'_>, errors: &Errors) {
    for task in model.tasks.iter().filter(|task| task.kind.runs_function()) {
        let items = &task.syntax.items;
        if let (Some(retries), Some(_)) = (&items.max_retries, &items.retry) {
            errors.add_with_help(
                retries.key.span(),
                "`max_retries` can't be combined with `retry`",
                "write `max` in `retry`, and remove `max_retries`",
            );
        }
    }
}

/// Checks that a function that is called once is not called again after a time-out, whose outcome is unknown.
pub(super) fn check_timeouts_of_once_are_not_retried(model: &Model<'_>, errors: &Errors) {
    for task in model.tasks.iter().filter(|task| task.is_once()) {
        let retry = task.syntax.items.retry.as_ref();
        if let Some(timeouts) = retry.and_then(|retry| retry.value.timeouts.as_ref()) {
            errors.add_with_help(
                timeouts.key.span(),
                "`timeouts` can't be combined with `effect: once`",
                "after a time-out it is not known whether the call took effect: \
                 remove `timeouts`, and route the failure with `on: { timeout => task }`",
            );
        }
    }
}

fn check_value(range: Option<Range>, value: &ValueView<'_>, errors: &Errors) {
    match value {
        ValueView::Number(number) => {
            range.iter().for_each(|range| check_number(*range, *number, errors));
        }
        ValueView::Numbers(numbers) => {
            numbers.iter().for_each(|(range, number)| check_number(*range, *number, errors));
        }
        _ => {}
    }
}

fn check_number(range: Range, number: Number<'_>, errors: &Errors) {
    match (range, number) {
        (Range::Integer { least, most }, Number::Integer(literal)) => {
            check_integer(least, most, literal, errors);
        }
        (Range::Decimal { contains, expected, help }, Number::Decimal(literal))
            if !decimal(literal).is_some_and(contains) =>
        {
            errors.add_with_help(literal.span(), format!("expected {expected}"), help);
        }
        // The number is in range, or its type was reported by the parser.
        _ => {}
    }
}

fn check_integer(least: u64, most: u64, literal: &LitInt, errors: &Errors) {
    if !literal.base10_parse::<u64>().is_ok_and(|number| number <= most) {
        errors.add_with_help(
            literal.span(),
            format!("`{}` is out of range", literal.base10_digits()),
            format!("write a number from 0 to {most}"),
        );
    } else if !literal.suffix().is_empty() {
        errors.add_with_help(
            literal.span(),
            format!("unexpected unit `{}`", literal.suffix()),
            "write a plain number",
        );
    }
    if least > 0 && literal.base10_digits() == "0" {
        errors.add_with_help(
            literal.span(),
            "a limit can't be 0",
            "write a number from 1 up, or leave the limit out",
        );
    }
}

/// Returns the value of a number literal without a unit.
fn decimal(literal: &Lit) -> Option<f64> {
    match literal {
        Lit::Float(number) if number.suffix().is_empty() => number.base10_parse().ok(),
        Lit::Int(number) if number.suffix().is_empty() => number.base10_parse().ok(),
        _ => None,
    }
}
