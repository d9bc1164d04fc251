//! Parses `effect: once`, `effect: repeatable`, `effect: transaction` and `effect: none`.

use syn::{Result, parse::ParseStream};

use crate::{
    diagnostics::Errors,
    parse::{
        item::Slot,
        row::ItemValue,
        value_syntax::{ValueSyntax, WordSet},
    },
    values::word::parse_word,
};

/// Whether a function can be called again when it is not known whether a call of it was completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EffectValue {
    /// `once`: it is not called again by itself.
    Once,
    /// `repeatable`: it is called again.
    Repeatable,
    /// `transaction`: it is called in a transaction of the store, in which its result is committed.
    Transaction,
    /// `none`: it only reads, so that it is called again and needs nobody's trust.
    None,
}

impl EffectValue {
    /// Returns whether a function changes something: unless it says that it only reads.
    pub fn is_possible(effect: &Slot<Self>) -> bool {
        effect.as_ref().is_none_or(|item| item.value != Self::None)
    }
}

/// The words of `effect`.
const EFFECTS: [&str; 4] = ["once", "repeatable", "transaction", "none"];

impl ItemValue for EffectValue {
    const SYNTAX: ValueSyntax = ValueSyntax::Word(&WordSet { name: "Effect", words: &EFFECTS });

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        let index = parse_word(input, "effect", &EFFECTS)?;
        Ok([Self::Once, Self::Repeatable, Self::Transaction, Self::None][index])
    }
}
