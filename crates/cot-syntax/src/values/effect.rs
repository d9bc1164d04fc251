//! Parses `effect: once` and `effect: repeatable`.

use syn::{Ident, Result, ext::IdentExt as _, parse::ParseStream};

use crate::{
    diagnostics::{Errors, error_at, join_names, suggest},
    parse::row::ItemValue,
};

/// The words of `effect`.
const EFFECTS: [&str; 2] = ["once", "repeatable"];

/// Whether a function can be called again when it is not known whether a call of it was completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EffectValue {
    /// `once`: it is not called again by itself.
    Once,
    /// `repeatable`: it is called again.
    Repeatable,
}

impl ItemValue for EffectValue {
    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        let word = input.call(Ident::parse_any)?;
        match word.to_string().as_str() {
            "once" => Ok(Self::Once),
            "repeatable" => Ok(Self::Repeatable),
            other => {
                let help = match suggest(other, EFFECTS) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the effects are {}", join_names(EFFECTS)),
                };
                Err(error_at(word.span(), format!("unknown effect `{word}`"), help))
            }
        }
    }
}
