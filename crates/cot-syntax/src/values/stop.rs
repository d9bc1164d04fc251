//! Parses `stop: ["END"]`.

use syn::{LitStr, Result, Token, bracketed, parse::ParseStream, punctuated::Punctuated, token};

use crate::{
    diagnostics::{Errors, error_at},
    parse::{list::parse_inside, row::ItemValue, value_syntax::ValueSyntax},
};

/// The texts at which a reply ends: at least one, and at most [`Stop::MAX`].
#[derive(Debug)]
pub struct Stop(pub Vec<LitStr>);

impl Stop {
    /// The maximum number of texts, which is that of most engines.
    pub const MAX: usize = 4;
}

const HELP: &str = "write one to four texts: `stop: [\"END\"]`";

impl ItemValue for Stop {
    const SYNTAX: ValueSyntax = ValueSyntax::Text;

    fn parse_value(input: ParseStream<'_>, errors: &Errors) -> Result<Self> {
        let content;
        let brackets = match input.peek(token::Bracket) {
            true => bracketed!(content in input),
            false => return Err(error_at(input.span(), "expected a list of texts", HELP)),
        };
        let texts = parse_inside(&content, |content| {
            Punctuated::<LitStr, Token![,]>::parse_terminated(content)
        })?;
        let texts: Vec<LitStr> = texts.into_iter().collect();
        if texts.is_empty() {
            let help = "write the texts at which a reply ends, or leave `stop` out";
            return Err(error_at(brackets.span.join(), "`stop` has no text", help));
        }
        if let Some(extra) = texts.get(Self::MAX) {
            let message =
                format!("`stop` has {} texts, but engines accept at most four", texts.len());
            errors.add_with_help(extra.span(), message, "remove some of them");
        }
        for (index, text) in texts.iter().enumerate() {
            if text.value().is_empty() {
                let help = "write the text at which a reply ends, or remove it";
                errors.add_with_help(text.span(), "a reply can't end at an empty text", help);
            } else if texts[..index].iter().any(|other| other.value() == text.value()) {
                errors.add_with_help(
                    text.span(),
                    "this text is given twice",
                    "remove one of the two",
                );
            }
        }
        Ok(Self(texts))
    }
}
