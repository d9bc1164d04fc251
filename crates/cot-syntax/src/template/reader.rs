//! Splits the text of a template into literal text and expressions.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use syn::{Expr, LitStr, Result};

use crate::template::{
    brackets::closing_brace,
    flaws::{UNCLOSED, explain_invalid_expression, explain_unclosed},
    piece::{Flaw, Piece, Position, TemplateText, span_of_errors},
};

/// Splits a text into pieces. Invalid expressions are recorded as flaws, which point at the literal.
pub(super) fn read_text(literal: LitStr, source: String, included: bool) -> TemplateText {
    // If the tokens looked like the user's own, rustc would suggest fixes that replace the whole template
    // with one word.
    let place = span_of_errors(&literal);
    let span = Span::call_site().located_at(place);
    let (text, pieces, flaws) = (String::new(), Vec::new(), Vec::new());
    let mut reader = Reader { span, own: place, text, pieces, flaws };
    reader.read(&source);
    let Reader { pieces, flaws, .. } = reader;
    TemplateText { literal, included, source, pieces, flaws }
}

/// Returns the code of each `${ … }` in a text, even if it is not a valid expression. One that is not closed is
/// left out.
pub fn shown_expressions(source: &str) -> Vec<&str> {
    let (mut codes, mut rest) = (Vec::new(), source);
    while let Some(dollar) = rest.find('$') {
        rest = &rest[dollar..];
        rest = match (rest.strip_prefix("$${"), rest.strip_prefix("${")) {
            (Some(after), _) => after,
            (None, Some(inside)) => match closing_brace(inside) {
                Some(end) => {
                    codes.push(&inside[..end]);
                    &inside[end + 1..]
                }
                None => return codes,
            },
            (None, None) => &rest[1..],
        };
    }
    codes
}

struct Reader {
    span: Span,
    /// The span of the text, with the hygiene of the user's code.
    own: Span,
    text: String,
    pieces: Vec<Piece>,
    flaws: Vec<Flaw>,
}

impl Reader {
    fn read(&mut self, source: &str) {
        let mut rest = source;
        while let Some(dollar) = rest.find('$') {
            self.text.push_str(&rest[..dollar]);
            rest = &rest[dollar..];
            if let Some(after) = rest.strip_prefix("$${") {
                self.text.push_str("${");
                rest = after;
            } else if let Some(inside) = rest.strip_prefix("${") {
                let at = position_at(source, source.len() - rest.len());
                rest = self.read_shown(inside, at);
            } else {
                self.text.push('$');
                rest = &rest[1..];
            }
        }
        self.text.push_str(rest);
        self.end_text();
    }

    /// Parses an expression up to its `}`, and returns the text after it.
    fn read_shown<'a>(&mut self, inside: &'a str, at: Position) -> &'a str {
        let Some(end) = closing_brace(inside) else {
            let line = inside.lines().next().unwrap_or_default();
            self.flaws.push(Flaw {
                at,
                code: format!("${{{line}"),
                message: UNCLOSED.to_owned(),
                help: explain_unclosed(inside),
            });
            return "";
        };
        let code = format!("${{{}}}", &inside[..end]);
        match self.expression(&inside[..end]) {
            Ok(expr) => {
                self.end_text();
                self.pieces.push(Piece::Expr { expr: Box::new(expr), code, at });
            }
            Err(error) => {
                let (message, help) = explain_invalid_expression(&inside[..end], &error);
                self.flaws.push(Flaw { at, code, message, help });
            }
        }
        &inside[end + 1..]
    }

    fn expression(&self, code: &str) -> Result<Expr> {
        let tokens = LitStr::new(code, self.span).parse::<TokenStream>()?;
        syn::parse2(with_user_edition(tokens, self.span.resolved_at(self.own)))
    }

    fn end_text(&mut self) {
        if !self.text.is_empty() {
            self.pieces.push(Piece::Text(std::mem::take(&mut self.text)));
        }
    }
}

/// The keywords of this crate's edition that are identifiers in earlier editions.
pub const NEW_KEYWORDS: [&str; 1] = ["gen"];

/// Gives each of [`NEW_KEYWORDS`] a span of the user's code, so that the user's edition decides whether it
/// is a keyword.
fn with_user_edition(tokens: TokenStream, own: Span) -> TokenStream {
    let place = |token| match token {
        TokenTree::Group(group) => {
            let mut placed = Group::new(group.delimiter(), with_user_edition(group.stream(), own));
            placed.set_span(group.span());
            TokenTree::Group(placed)
        }
        TokenTree::Ident(mut word) if NEW_KEYWORDS.iter().any(|keyword| word == keyword) => {
            word.set_span(own);
            TokenTree::Ident(word)
        }
        token => token,
    };
    tokens.into_iter().map(place).collect()
}

fn position_at(source: &str, offset: usize) -> Position {
    let before = &source[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    Position {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
    }
}
