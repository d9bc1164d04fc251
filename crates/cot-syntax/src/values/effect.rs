//! Parses `effect: once`, `effect: repeatable` and `effect: none`.

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
    /// `none`: it only reads, so that it is called again and needs nobody's trust.
    None,
}

/// The words of `effect`.
const EFFECTS: [&str; 3] = ["once", "repeatable", "none"];

impl ItemValue for EffectValue {
    const SYNTAX: ValueSyntax = ValueSyntax::Word(&WordSet { name: "Effect", words: &EFFECTS });

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        let index = parse_word(input, "effect", &EFFECTS)?;
        Ok([Self::Once, Self::Repeatable, Self::None][index])
    }
}
