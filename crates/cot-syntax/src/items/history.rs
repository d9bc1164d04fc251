//! `history: none`, or `history: { max_items: 20 }`: the part of the history that prompts show.

use syn::{Ident, LitInt, Result, ext::IdentExt, parse::ParseStream, token};

use crate::{
    diagnostics::{Errors, error_at},
    parse::{
        group::GroupTexts,
        item::Slot,
        row::{ItemValue, Range, ValueView},
        table::item_table,
        value_syntax::{ValueSyntax, WordSet},
    },
    values::word::{ToolHistoryValue, UntrustedHistoryValue},
};

/// The value of `history`.
#[derive(Debug)]
pub enum HistoryValue {
    /// `none`: no history is recorded.
    None,
    /// Limits on the number of history items.
    Limits(HistoryItems),
}

item_table! {
    /// The items of `history`.
    pub struct HistoryItems of "history" {
        /// The maximum number of items that prompts show.
        max_items: Slot<LitInt> { form: "max_items: 20", range: Some(Range::LIMIT) }
        /// The maximum number of items in the field `history` of the state.
        state_max_items: Slot<LitInt> { form: "state_max_items: 20", range: Some(Range::LIMIT) }
        /// What the history has of the tools that models call.
        tools: Slot<ToolHistoryValue> { form: "tools: names` or `tools: all" }
        /// What prompts show of entries that untrusted values may have written.
        untrusted: Slot<UntrustedHistoryValue> { form: "untrusted: omit` or `untrusted: quoted" }
    }
}

const TEXTS: GroupTexts = GroupTexts {
    unknown: ["limit", "in the history"],
    form: "write `history: none` or `history: { max_items: 20, tools: names }`",
    lists_keys: false,
};

impl ItemValue for HistoryValue {
    const SYNTAX: ValueSyntax = ValueSyntax::Items {
        table: HistoryItems::TABLE,
        otherwise: &ValueSyntax::Word(&WordSet { name: "NoHistory", words: &["none"] }),
    };

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        if input.peek(token::Brace) {
            return HistoryItems::TABLE.read_group(&TEXTS, input, errors).map(Self::Limits);
        }
        let word = input.call(Ident::parse_any)?;
        match word == "none" {
            true => Ok(Self::None),
            false => Err(error_at(word.span(), format!("unknown history `{word}`"), TEXTS.form)),
        }
    }

    fn view(&self) -> ValueView<'_> {
        match self {
            Self::None => ValueView::Other,
            Self::Limits(items) => ValueView::Numbers(HistoryItems::TABLE.numbers(items)),
        }
    }
}
