//! Numbers fit where they stand.

use std::str::FromStr;

use syn::{Lit, LitInt};

use crate::{diagnostics::Errors, model::Model, syntax::HistoryItem};

/// A number is one that the engine can take.
pub(super) fn check_numbers_fit(model: &Model<'_>, errors: &Errors) {
    let items = &model.syntax.items;
    let retries = items.max_retries.iter();
    let tasks = || model.tasks.iter().map(|task| &task.syntax.items);
    for item in retries.chain(tasks().filter_map(|items| items.max_retries.as_ref())) {
        fits::<u32>(&item.value, errors);
    }
    items.max_steps.iter().for_each(|item| positive(&item.value, errors));
    if let Some(HistoryItem::Limits { max_items, state_max_items }) =
        items.history.as_ref().map(|item| &item.value)
    {
        max_items.iter().chain(state_max_items).for_each(|bound| positive(bound, errors));
    }
    for items in tasks() {
        items.max_tokens.iter().for_each(|item| positive(&item.value, errors));
        items.temperature.iter().for_each(|item| temperature(&item.value, errors));
    }
}

fn fits<N: FromStr<Err: std::fmt::Display>>(literal: &LitInt, errors: &Errors) {
    if literal.base10_parse::<N>().is_err() {
        errors.error_with_help(
            literal.span(),
            format!("`{}` is out of range", literal.base10_digits()),
            "write a number from 0 to 4294967295",
        );
    } else if !literal.suffix().is_empty() {
        errors.error_with_help(
            literal.span(),
            format!("unexpected unit `{}`", literal.suffix()),
            "write a plain number",
        );
    }
}

fn positive(literal: &LitInt, errors: &Errors) {
    fits::<u32>(literal, errors);
    if literal.base10_digits() == "0" {
        errors.error_with_help(
            literal.span(),
            "a limit of 0 lets nothing happen",
            "give a number from 1 up, or leave the limit out",
        );
    }
}

fn temperature(literal: &Lit, errors: &Errors) {
    let number = match literal {
        Lit::Float(number) => number.base10_parse::<f64>().ok(),
        Lit::Int(number) => number.base10_parse::<f64>().ok(),
        _ => None,
    };
    if !number.is_some_and(|number| (0.0..=2.0).contains(&number)) {
        errors.error_with_help(
            literal.span(),
            "expected a temperature",
            "write a number from 0 to 2, such as `0.7`",
        );
    }
}
