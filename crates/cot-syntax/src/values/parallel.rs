//! Parses the head of a parallel task: `parallel name [a, b] => join`, and the item `join`.

use syn::{Ident, Result, Token, ext::IdentExt as _, parse::ParseStream, token};

use crate::{
    diagnostics::{Errors, error_at, join_names, suggest},
    parse::{
        row::ItemValue,
        value_syntax::{ValueSyntax, WordSet},
    },
    values::plain::TaskList,
};

/// The branches of a parallel task.
#[derive(Debug)]
pub struct Branches {
    /// The word `parallel`.
    pub keyword: Ident,
    /// The first task of each branch.
    pub first: Vec<Ident>,
}

/// The words of `join`.
const JOINS: [&str; 3] = ["all", "any", "settled"];

/// When a parallel task is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JoinValue {
    /// `all`: when every branch has joined.
    All,
    /// `any`: when the first branch has joined.
    Any,
    /// `settled`: when every branch has joined or failed.
    Settled,
}

impl JoinValue {
    /// Returns the word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Any => "any",
            Self::Settled => "settled",
        }
    }
}

impl ItemValue for JoinValue {
    const SYNTAX: ValueSyntax = ValueSyntax::Word(&WordSet { name: "Join", words: &JOINS });

    fn parse_value(input: ParseStream<'_>, _: &Errors) -> Result<Self> {
        let word = input.call(Ident::parse_any)?;
        match word.to_string().as_str() {
            "all" => Ok(Self::All),
            "any" => Ok(Self::Any),
            "settled" => Ok(Self::Settled),
            other => {
                let help = match suggest(other, JOINS) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the joins are {}", join_names(JOINS)),
                };
                Err(error_at(word.span(), format!("unknown join `{word}`"), help))
            }
        }
    }
}

/// Parses `[a, b] => join`, which follows the name.
pub(crate) fn parse_branches(
    keyword: &Ident,
    name: &Ident,
    input: ParseStream<'_>,
    errors: &Errors,
) -> Result<(Branches, Ident)> {
    let help = || format!("write `parallel {name} [first, second] => join`");
    let at = |input: ParseStream<'_>| if input.is_empty() { name.span() } else { input.span() };
    if !input.peek(token::Bracket) {
        let message = format!("expected the branches of `{name}` in brackets");
        return Err(error_at(at(input), message, help()));
    }
    let wrong_list = |error: syn::Error| {
        error_at(error.span(), "expected the name of a branch's first task", help())
    };
    let first = TaskList::parse(input, errors, wrong_list)?.0;
    if input.parse::<Option<Token![=>]>>()?.is_none() {
        let message = "expected `=>` and the task at which the branches join";
        return Err(error_at(at(input), message, help()));
    }
    let wrong_join = |error: syn::Error| {
        error_at(error.span(), "expected the task at which the branches join", help())
    };
    let join = input.parse().map_err(wrong_join)?;
    Ok((Branches { keyword: keyword.clone(), first }, join))
}
