//! `retry: { max: 4, backoff: 1s..60s, timeouts }`: the retries of a function, or of a model that can't be reached.

use syn::{
    LitInt, Result, Token,
    parse::{Parse, ParseStream},
};

use crate::{
    diagnostics::{Errors, error_at},
    parse::{
        group::GroupTexts,
        item::Slot,
        row::{ItemValue, Range, ValueView},
        table::item_table,
        value_syntax::{ValueSyntax, items},
    },
    values::duration::DurationValue,
};

item_table! {
    /// The items of `retry`.
    pub struct RetryItems of "retry" {
        /// The maximum number of retries; 2 by default.
        max: Slot<LitInt> { form: "max: 4", range: Some(Range::COUNT) }
        /// The range of the pauses between attempts.
        backoff: Slot<Backoff> { form: "backoff: 1s..60s" }
        /// Whether attempts that time out are retried.
        timeouts: Slot<()> { form: "timeouts" }
    }
}

const TEXTS: GroupTexts = GroupTexts {
    unknown: ["item", "in `retry`"],
    form: "write `retry: { max: 4, backoff: 1s..60s, timeouts }`, or some of these",
    lists_keys: true,
};

/// The range of the pauses between attempts, written `1s..60s`.
#[derive(Debug)]
pub struct Backoff {
    /// The pause before the first retry.
    pub first: DurationValue,
    /// The longest pause.
    pub longest: DurationValue,
}

impl ItemValue for RetryItems {
    const SYNTAX: ValueSyntax = items(Self::TABLE);

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        Self::TABLE.read_group(&TEXTS, input, errors)
    }

    fn view(&self) -> ValueView<'_> {
        ValueView::Numbers(Self::TABLE.numbers(self))
    }
}

impl ItemValue for Backoff {
    const SYNTAX: ValueSyntax = ValueSyntax::Duration;

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        input.parse()
    }
}

impl Parse for Backoff {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let first: DurationValue = input.parse()?;
        let span = input.span();
        if input.parse::<Option<Token![..]>>()?.is_none() {
            let help = "write the first and the longest pause: `backoff: 1s..60s`";
            return Err(error_at(span, "expected `..`", help));
        }
        let span = input.span();
        let longest: DurationValue = input.parse()?;
        if longest.0 < first.0 {
            let help = "write the first pause, then the longest: `backoff: 1s..60s`";
            return Err(error_at(span, "the longest pause is shorter than the first", help));
        }
        Ok(Self { first, longest })
    }
}
