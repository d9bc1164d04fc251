//! `at_most: { calls: 60, output_tokens: 90000, questions: 3 }`: what a run is proven not to exceed.

use syn::{LitInt, Result, parse::ParseStream};

use crate::{
    diagnostics::Errors,
    parse::{
        group::GroupTexts,
        item::Slot,
        row::{ItemValue, Range, ValueView},
        table::item_table,
        value_syntax::{ValueSyntax, items},
    },
};

item_table! {
    /// The limits in `at_most`.
    pub struct AtMostItems of "at_most" {
        /// The maximum number of model calls.
        calls: Slot<LitInt> { form: "calls: 60", range: Some(Range::LARGE_LIMIT) }
        /// The maximum number of tokens in replies.
        output_tokens: Slot<LitInt> { form: "output_tokens: 90000", range: Some(Range::LARGE_LIMIT) }
        /// The maximum number of questions to people.
        questions: Slot<LitInt> { form: "questions: 3", range: Some(Range::LARGE_LIMIT) }
    }
}

const TEXTS: GroupTexts = GroupTexts {
    unknown: ["limit", "in `at_most`"],
    form: "write `at_most: { calls: 60, output_tokens: 90000, questions: 3 }`, or some of these",
    lists_keys: true,
};

impl ItemValue for AtMostItems {
    const SYNTAX: ValueSyntax = items(Self::TABLE);

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        Self::TABLE.read_group(&TEXTS, input, errors)
    }

    fn view(&self) -> ValueView<'_> {
        ValueView::Numbers(Self::TABLE.numbers(self))
    }
}
