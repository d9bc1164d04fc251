//! Numbers fit where they stand.

use std::{fmt::Display, str::FromStr};

use syn::{Lit, LitInt};

use crate::model::Model;
use cot_syntax::{BudgetItem, HistoryItem, Item, diagnostics::Errors};

/// A number is one that the engine can take.
pub(super) fn check_numbers_fit(model: &Model<'_>, errors: &Errors) {
    let items = &model.syntax.items;
    let retries = items.max_retries.iter();
    let tasks = || model.tasks.iter().map(|task| &task.syntax.items);
    for item in retries.chain(tasks().filter_map(|items| items.max_retries.as_ref())) {
        fits::<u32>(&item.value, errors);
    }
    items.max_steps.iter().for_each(|item| positive::<u32>(&item.value, errors));
    items.budget.iter().for_each(|item| budget(item, errors));
    if let Some(HistoryItem::Limits { max_items, state_max_items }) =
        items.history.as_ref().map(|item| &item.value)
    {
        max_items.iter().chain(state_max_items).for_each(|bound| positive::<u32>(bound, errors));
    }
    for items in tasks() {
        items
            .retry
            .iter()
            .filter_map(|item| item.value.max.as_ref())
            .for_each(|max| fits::<u32>(max, errors));
        let limits = items.max_tokens.iter().chain(&items.max_concurrency);
        limits.for_each(|item| positive::<u32>(&item.value, errors));
        items.temperature.iter().for_each(|item| temperature(&item.value, errors));
    }
}

/// A task says once how often it is tried again.
pub(super) fn check_retries_are_told_once(model: &Model<'_>, errors: &Errors) {
    for items in model.tasks.iter().map(|task| &task.syntax.items) {
        if let (Some(retries), Some(_)) = (&items.max_retries, &items.retry) {
            errors.error_with_help(
                retries.key.span(),
                "`max_retries` beside `retry`",
                "write `max` in `retry`, and remove `max_retries`",
            );
        }
    }
}

fn budget(item: &Item<BudgetItem>, errors: &Errors) {
    let BudgetItem { tokens, calls, cost } = &item.value;
    if tokens.is_none() && calls.is_none() && cost.is_none() {
        errors.error_with_help(
            item.key.span(),
            "`budget` bounds nothing",
            "write `budget: { tokens: 100000, calls: 50, cost: 2.5 }`, or some of these",
        );
    }
    tokens.iter().for_each(|tokens| positive::<u64>(tokens, errors));
    calls.iter().for_each(|calls| positive::<u32>(calls, errors));
    let wrong = |cost: &&Lit| !decimal(cost).is_some_and(|cost| cost > 0.0 && cost.is_finite());
    if let Some(cost) = cost.as_ref().filter(wrong) {
        errors.error_with_help(
            cost.span(),
            "expected a cost above 0",
            "write a number, such as `2.5`, in the unit of your engines' prices",
        );
    }
}

fn fits<N: Bound>(literal: &LitInt, errors: &Errors) {
    if literal.base10_parse::<N>().is_err() {
        errors.error_with_help(
            literal.span(),
            format!("`{}` is out of range", literal.base10_digits()),
            format!("write a number from 0 to {}", N::MAX),
        );
    } else if !literal.suffix().is_empty() {
        errors.error_with_help(
            literal.span(),
            format!("unexpected unit `{}`", literal.suffix()),
            "write a plain number",
        );
    }
}

fn positive<N: Bound>(literal: &LitInt, errors: &Errors) {
    fits::<N>(literal, errors);
    if literal.base10_digits() == "0" {
        errors.error_with_help(
            literal.span(),
            "a limit of 0 lets nothing happen",
            "give a number from 1 up, or leave the limit out",
        );
    }
}

fn temperature(literal: &Lit, errors: &Errors) {
    if !decimal(literal).is_some_and(|number| (0.0..=2.0).contains(&number)) {
        errors.error_with_help(
            literal.span(),
            "expected a temperature",
            "write a number from 0 to 2, such as `0.7`",
        );
    }
}

/// The value of a literal that is a number without a unit.
fn decimal(literal: &Lit) -> Option<f64> {
    match literal {
        Lit::Float(number) if number.suffix().is_empty() => number.base10_parse().ok(),
        Lit::Int(number) if number.suffix().is_empty() => number.base10_parse().ok(),
        _ => None,
    }
}

/// A type of numbers that the engine takes.
trait Bound: FromStr<Err: Display> {
    const MAX: u64;
}

impl Bound for u32 {
    const MAX: u64 = Self::MAX as u64;
}

impl Bound for u64 {
    const MAX: u64 = Self::MAX;
}
