//! Parses `effect: once` and `effect: repeatable`.

use syn::{Result, parse::ParseStream};

use crate::{
    diagnostics::Errors,
    parse::{
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
}

/// The words of `effect`.
const EFFECTS: [&str; 2] = ["once", "repeatable"];

impl ItemValue for EffectValue {
    const SYNTAX: ValueSyntax = ValueSyntax::Word(&WordSet { name: "Effect", words: &EFFECTS });

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        let index = parse_word(input, "effect", &EFFECTS)?;
        Ok(if index == 0 { Self::Once } else { Self::Repeatable })
    }
}
