//! Parses values that are one of a few words.

use syn::{Ident, Result, ext::IdentExt as _, parse::ParseStream};

use crate::{
    diagnostics::{Errors, error_at, join_names, suggest},
    parse::{
        row::ItemValue,
        value_syntax::{ValueSyntax, WordSet},
    },
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

/// The words of `collect`.
const COLLECTS: [&str; 2] = ["all", "ok"];

/// The words of `approve`.
const APPROVERS: [&str; 1] = ["person"];

/// The words of `tools` in `history`.
const TOOL_HISTORIES: [&str; 2] = ["names", "all"];

impl ItemValue for CollectValue {
    const SYNTAX: ValueSyntax = ValueSyntax::Word(&WordSet { name: "Collect", words: &COLLECTS });

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        let index = parse_word(input, "way to collect", &COLLECTS)?;
        Ok(if index == 0 { Self::All } else { Self::Ok })
    }
}

impl ItemValue for Approver {
    const SYNTAX: ValueSyntax = ValueSyntax::Word(&WordSet { name: "Approver", words: &APPROVERS });

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        parse_word(input, "approver", &APPROVERS).map(|_| Self::Person)
    }
}

impl ItemValue for ToolHistoryValue {
    const SYNTAX: ValueSyntax =
        ValueSyntax::Word(&WordSet { name: "ToolHistory", words: &TOOL_HISTORIES });

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        let index = parse_word(input, "history of tools", &TOOL_HISTORIES)?;
        Ok(if index == 0 { Self::Names } else { Self::All })
    }
}
