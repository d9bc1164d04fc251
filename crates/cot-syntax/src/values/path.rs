//! Parses state paths: `a.b`, `a.items[]`, `a.map["key"]`, `a?.b`.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::{
    Expr, Index, LitFloat, Member, Result, Token, bracketed,
    parse::{Parse, ParseStream},
    spanned::Spanned,
    token,
};

use crate::diagnostics::error_at;

/// A state path: the place in the state to which an update writes.
#[derive(Debug)]
pub struct StatePath {
    /// The segments, from the outermost field inward.
    pub segments: Vec<PathSegment>,
}

/// A segment of a state path.
#[derive(Debug)]
pub enum PathSegment {
    /// A field: `.field`, or the first field, which has no dot.
    Field {
        /// The dot before the field.
        dot: Option<Token![.]>,
        /// The name or the index of the field.
        member: Member,
    },
    /// `?`: creates the value of an `Option` that is `None`.
    Create(Token![?]),
    /// `[]`: appends to a collection.
    Append(token::Bracket),
    /// `["key"]`: inserts at this key if it is the last segment, otherwise looks the key up.
    Insert(token::Bracket, Box<Expr>),
}

impl StatePath {
    /// Returns the span of the whole path.
    pub fn span(&self) -> Span {
        self.to_token_stream().span()
    }

    /// Returns the expressions in `[key]`, in order.
    pub fn keys(&self) -> impl Iterator<Item = &Expr> {
        self.segments.iter().filter_map(|segment| match segment {
            PathSegment::Insert(_, key) => Some(&**key),
            _ => None,
        })
    }

    /// Returns whether the path ends with `[]`.
    pub fn appends(&self) -> bool {
        matches!(self.segments.last(), Some(PathSegment::Append(_)))
    }
}

impl Parse for StatePath {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut segments = vec![PathSegment::Field { dot: None, member: input.parse()? }];
        while let Some(next) = PathSegment::parse_next(input)? {
            if let Some(PathSegment::Append(bracket)) = segments.last() {
                return Err(error_at(
                    bracket.span.join(),
                    "`[]` must be the last segment of a state path",
                    "`items[]` appends a whole value; `items[0].part` writes to a part of an existing one",
                ));
            }
            segments.extend(next);
        }
        if let Some(PathSegment::Create(mark)) = segments.last() {
            return Err(error_at(
                mark.span(),
                "`?` must be followed by a field",
                "`a?.b = …` creates a missing `a`; to write `a` itself, leave the `?` out",
            ));
        }
        Ok(Self { segments })
    }
}

impl PathSegment {
    pub(crate) fn parse_next(input: ParseStream<'_>) -> Result<Option<Vec<Self>>> {
        if input.peek(Token![.]) {
            let dot = Some(input.parse()?);
            if input.peek(LitFloat) {
                return tuple_fields(dot, &input.parse()?).map(Some);
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

/// Splits `.1.0`, which the lexer reads as a float, into two fields.
fn tuple_fields(dot: Option<Token![.]>, number: &LitFloat) -> Result<Vec<PathSegment>> {
    let indices = number.base10_digits().split('.').map(|digits| {
        let index =
            digits.parse().map_err(|_| syn::Error::new(number.span(), "expected a field"))?;
        let member = Member::Unnamed(Index { index, span: number.span() });
        Ok(PathSegment::Field { dot, member })
    });
    indices.collect()
}

/// Emits the path as it is written, for messages and comparisons.
impl ToTokens for StatePath {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.segments.iter().for_each(|segment| segment.to_tokens(tokens));
    }
}

impl ToTokens for PathSegment {
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
