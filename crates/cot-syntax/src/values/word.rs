//! Parses values that are one of a few words.

use syn::{Ident, Result, ext::IdentExt as _, parse::ParseStream};

use crate::{
    diagnostics::{Errors, error_at, join_names, suggest},
    parse::row::ItemValue,
};

/// Parses one of the known words and returns its index. `what` is the noun for messages, such as `effect`.
pub(crate) fn parse_word(input: ParseStream<'_>, what: &str, known: &[&str]) -> Result<usize> {
    let word = input.call(Ident::parse_any)?;
    let text = word.to_string();
    known.iter().position(|known| *known == text).ok_or_else(|| {
        let help = match (suggest(&text, known.iter().copied()), known) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, [only]) => format!("write `{only}`"),
            (None, _) => format!("write one of {}", join_names(known.iter().copied())),
        };
        error_at(word.span(), format!("unknown {what} `{word}`"), help)
    })
}

/// The value of `approve`: `person`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approver {
    /// A person.
    Person,
}

/// The value of `tools` in `history`: `names` or `all`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolHistoryValue {
    /// `names`: the names of the called tools.
    Names,
    /// `all`: the calls with their arguments and results.
    All,
}

/// The value of `collect`: `all` or `ok`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CollectValue {
    /// `all`: the first item that fails fails the task.
    All,
    /// `ok`: items that fail are collected as errors.
    Ok,
}

impl ItemValue for CollectValue {
    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        let index = parse_word(input, "way to collect", &["all", "ok"])?;
        Ok(if index == 0 { Self::All } else { Self::Ok })
    }
}

impl ItemValue for Approver {
    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        parse_word(input, "approver", &["person"]).map(|_| Self::Person)
    }
}

impl ItemValue for ToolHistoryValue {
    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        let index = parse_word(input, "history of tools", &["names", "all"])?;
        Ok(if index == 0 { Self::Names } else { Self::All })
    }
}
