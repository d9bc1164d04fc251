//! Parses `on: { exhausted => task, … }`.

use proc_macro2::TokenTree;
use syn::{Ident, Result, Token, braced, ext::IdentExt, parse::ParseStream};

use crate::diagnostics::Errors;
use crate::parse::{
    list::{parse_list, parse_mark},
    row::ItemValue,
    value_syntax::ValueSyntax,
};

/// A route of `on`: the next task after a failure, in the place of a halt.
#[derive(Debug)]
pub struct OnRoute {
    /// The failure, one of [`ON_FAILURES`]. The parser accepts any word.
    pub when: Ident,
    /// The next task.
    pub target: Ident,
    /// Whether something follows the task that a route can't have, which has been reported.
    pub has_more: bool,
}

/// The failures that `on` can route.
pub const ON_FAILURES: [&str; 7] =
    ["exhausted", "truncated", "refused", "timeout", "unreachable", "budget", "interrupted"];

impl ItemValue for Vec<OnRoute> {
    const SYNTAX: ValueSyntax = ValueSyntax::Routes;

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let content;
        braced!(content in input);
        Ok(parse_list(&content, errors, FORM, |input| OnRoute::parse(input, errors)))
    }
}

const FORM: &str = "exhausted => task";

impl OnRoute {
    fn parse(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let when = input.call(Ident::parse_any)?;
        parse_mark::<Token![=>]>(input, errors, FORM)?;
        let target: Ident = input.parse()?;
        let has_more = input.peek(Ident::peek_any);
        if has_more {
            report_more(&target, input, errors)?;
        }
        Ok(Self { when, target, has_more })
    }
}

/// Reports inputs, a guard or another word after the task of a route, and skips to the next route.
fn report_more(target: &Ident, input: ParseStream<'_>, errors: &Errors) -> Result<()> {
    let word = input.call(Ident::parse_any)?;
    let (message, help) = if word == "with" {
        let help = "inputs come from a transition, from `next`, or from `process_output`: lead to a task in between \
                    that has one of these";
        ("a route of `on` can't pass inputs", help.to_owned())
    } else if word == "if" {
        let help = format!(
            "lead to a task that decides: `task choose {{ next: {{ {target} if …, … }} }}`"
        );
        ("a route of `on` has no condition", help)
    } else {
        ("expected `,`", format!("write `{FORM}`; entries are separated by commas"))
    };
    errors.add_with_help(word.span(), message, help);
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}
