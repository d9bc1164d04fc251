//! `budget: { tokens: 100000, calls: 50, cost: 2.5 }`: the limits of one run.

use syn::{Lit, LitInt, Result, parse::ParseStream};

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
    /// The limits in `budget`.
    pub struct BudgetItems of "budget" {
        /// The maximum number of tokens.
        tokens: Slot<LitInt> { form: "tokens: 100000", range: Some(Range::LARGE_LIMIT) }
        /// The maximum number of model calls.
        calls: Slot<LitInt> { form: "calls: 50", range: Some(Range::LIMIT) }
        /// The maximum cost, in the unit of the engines' prices.
        cost: Slot<Lit> { form: "cost: 2.5", range: Some(COST) }
    }
}

const COST: Range = Range::Decimal {
    contains: |cost| cost > 0.0 && cost.is_finite(),
    expected: "a cost above 0",
    help: "write a number, such as `2.5`, in the unit of your engines' prices",
};

const TEXTS: GroupTexts = GroupTexts {
    unknown: ["limit", "in the budget"],
    form: "write `budget: { tokens: 100000, calls: 50, cost: 2.5 }`, or some of these",
    lists_keys: true,
};

impl ItemValue for BudgetItems {
    const SYNTAX: ValueSyntax = items(Self::TABLE);

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        Self::TABLE.read_group(&TEXTS, input, errors)
    }

    fn view(&self) -> ValueView<'_> {
        ValueView::Numbers(Self::TABLE.numbers(self))
    }
}
