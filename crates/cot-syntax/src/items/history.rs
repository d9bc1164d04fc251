//! `history: none`, or `history: { max_items: 20 }`: how much of the history prompts show.

use syn::{Ident, LitInt, Result, ext::IdentExt, parse::ParseStream, token};

use crate::{
    diagnostics::{Errors, error_at},
    parse::{
        group::GroupWords,
        item::Slot,
        row::{ItemValue, Range, ValueView},
        table::item_table,
    },
};

/// The value of `history`.
#[derive(Debug)]
pub enum HistoryValue {
    /// `none`: prompts show no history.
    None,
    /// Prompts show the last items.
    Limits(HistoryItems),
}

item_table! {
    /// The items of `history`.
    pub struct HistoryItems of "history" {
        /// The most items that prompts show.
        max_items: Slot<LitInt> { form: "max_items: 20", range: Some(Range::LIMIT) }
        /// The most items that the field `history` of the state holds.
        state_max_items: Slot<LitInt> { form: "state_max_items: 20", range: Some(Range::LIMIT) }
    }
}

const WORDS: GroupWords = GroupWords {
    unknown: ["bound", "of the history"],
    form: "write `history: none` or `history: { max_items: 20 }`",
    lists_keys: false,
};

impl ItemValue for HistoryValue {
    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        if input.peek(token::Brace) {
            return HistoryItems::TABLE.read_group(&WORDS, input, errors).map(Self::Limits);
        }
        let word = input.call(Ident::parse_any)?;
        match word == "none" {
            true => Ok(Self::None),
            false => Err(error_at(word.span(), format!("unknown history `{word}`"), WORDS.form)),
        }
    }

    fn view(&self) -> ValueView<'_> {
        match self {
            Self::None => ValueView::Other,
            Self::Limits(items) => ValueView::Numbers(HistoryItems::TABLE.numbers(items)),
        }
    }
}
