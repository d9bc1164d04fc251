//! State paths: `a.b`, `a.items[]`, `a.map["key"]`, `a?.b`.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{
    Expr, Index, LitFloat, Member, Result, Token, bracketed,
    parse::{Parse, ParseStream},
    spanned::Spanned,
    token,
};

use crate::diagnostics::error_at;

/// Where an update writes.
#[derive(Debug)]
pub struct StatePath {
    /// The steps in their order.
    pub segments: Vec<Segment>,
}

/// One step of a state path.
#[derive(Debug)]
pub enum Segment {
    /// `.field`, or the first field; its dot is kept for its span.
    Field {
        /// The dot before it.
        dot: Option<Token![.]>,
        /// The name or the number.
        member: Member,
    },
    /// `?`: a missing `Option` is created.
    Create(Token![?]),
    /// `[]`: appends.
    Append(token::Bracket),
    /// `["key"]`: inserts at the end of a path; looks up within it.
    Insert(token::Bracket, Box<Expr>),
}

impl StatePath {
    /// Returns the place of the whole path.
    pub fn span(&self) -> Span {
        self.to_token_stream().span()
    }

    /// Returns the keys in `map[key]`, in their order.
    pub fn keys(&self) -> impl Iterator<Item = &Expr> {
        self.segments.iter().filter_map(|segment| match segment {
            Segment::Insert(_, key) => Some(&**key),
            _ => None,
        })
    }

    /// Returns whether the path ends with `[]`.
    pub fn appends(&self) -> bool {
        matches!(self.segments.last(), Some(Segment::Append(_)))
    }
}

impl Parse for StatePath {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut segments = vec![Segment::Field { dot: None, member: input.parse()? }];
        while let Some(next) = Segment::parse_next(input)? {
            if let Some(Segment::Append(bracket)) = segments.last() {
                return Err(error_at(
                    bracket.span.join(),
                    "a state path ends with `[]`",
                    "`items[]` appends a whole value; `items[0].part` goes into one that is there",
                ));
            }
            segments.extend(next);
        }
        if let Some(Segment::Create(mark)) = segments.last() {
            return Err(error_at(
                mark.span(),
                "`?` must be followed by a field",
                "`a?.b = …` creates a missing `a`; to write `a` itself, leave the `?` out",
            ));
        }
        Ok(Self { segments })
    }
}

impl Segment {
    fn parse_next(input: ParseStream<'_>) -> Result<Option<Vec<Self>>> {
        if input.peek(Token![.]) {
            let dot = Some(input.parse()?);
            if input.peek(LitFloat) {
                return indices(dot, &input.parse()?).map(Some);
            }
            return Ok(Some(vec![Self::Field { dot, member: input.parse()? }]));
        }
        if input.peek(Token![?]) {
            return Ok(Some(vec![Self::Create(input.parse()?)]));
        }
        if input.peek(token::Bracket) {
            let content;
            let bracket = bracketed!(content in input);
            return Ok(Some(vec![if content.is_empty() {
                Self::Append(bracket)
            } else {
                Self::Insert(bracket, Box::new(content.parse()?))
            }]));
        }
        Ok(None)
    }
}

/// The members of `.1.0`, which looks like a number to the lexer.
fn indices(dot: Option<Token![.]>, number: &LitFloat) -> Result<Vec<Segment>> {
    let indices = number.base10_digits().split('.').map(|digits| {
        let index =
            digits.parse().map_err(|_| syn::Error::new(number.span(), "expected a field"))?;
        let member = Member::Unnamed(Index { index, span: number.span() });
        Ok(Segment::Field { dot, member })
    });
    indices.collect()
}

/// The path as it was written, for messages and comparisons.
impl ToTokens for StatePath {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.segments.iter().for_each(|segment| segment.to_tokens(tokens));
    }
}

impl ToTokens for Segment {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Field { dot, member } => {
                dot.to_tokens(tokens);
                member.to_tokens(tokens);
            }
            Self::Create(mark) => mark.to_tokens(tokens),
            Self::Append(bracket) => bracket.surround(tokens, |_| {}),
            Self::Insert(bracket, key) => bracket.surround(tokens, |inner| key.to_tokens(inner)),
        }
    }
}
