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

/// The value of `trust`: `strict` or `warn`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrustValue {
    /// `strict`: what an untrusted value reaches is an error.
    Strict,
    /// `warn`: it is a warning.
    Warn,
}

/// The value of `clears`: `untrusted` or `private`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClearsValue {
    /// `untrusted`: the output is trusted, whatever the task was shown.
    Untrusted,
    /// `private`: any engine may be shown the output.
    Private,
}

/// The value of `untrusted` in `history`: `omit` or `quoted`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UntrustedHistoryValue {
    /// `omit`: prompts leave out the entries of tasks that were shown untrusted values.
    Omit,
    /// `quoted`: prompts show them in a fence.
    Quoted,
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

/// The words of `trust`.
const TRUSTS: [&str; 2] = ["strict", "warn"];

/// The words of `clears`.
const CLEARS: [&str; 2] = ["untrusted", "private"];

/// The words of `untrusted` in `history`.
const UNTRUSTED_HISTORIES: [&str; 2] = ["omit", "quoted"];

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

impl ItemValue for TrustValue {
    const SYNTAX: ValueSyntax = ValueSyntax::Word(&WordSet { name: "Trust", words: &TRUSTS });

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        let index = parse_word(input, "level of trust", &TRUSTS)?;
        Ok(if index == 0 { Self::Strict } else { Self::Warn })
    }
}

impl ItemValue for ClearsValue {
    const SYNTAX: ValueSyntax = ValueSyntax::Word(&WordSet { name: "Clears", words: &CLEARS });

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        let index = parse_word(input, "mark", &CLEARS)?;
        Ok(if index == 0 { Self::Untrusted } else { Self::Private })
    }
}

impl ItemValue for UntrustedHistoryValue {
    const SYNTAX: ValueSyntax =
        ValueSyntax::Word(&WordSet { name: "UntrustedHistory", words: &UNTRUSTED_HISTORIES });

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        let index = parse_word(input, "history of untrusted values", &UNTRUSTED_HISTORIES)?;
        Ok(if index == 0 { Self::Omit } else { Self::Quoted })
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
