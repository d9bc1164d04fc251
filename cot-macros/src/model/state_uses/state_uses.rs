//! Finds the uses of state fields in an expression.

use proc_macro2::{Delimiter, Ident, Punct, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Expr;

/// The uses of the state in an expression. They are found in its tokens, so that uses inside macros count.
#[derive(Debug, Default)]
pub(crate) struct StateUses {
    /// `state.field`.
    pub(crate) reads: Vec<FieldUse>,
    /// `state.field?`, which reads an unset field as an `Option`.
    pub(crate) options: Vec<FieldUse>,
    /// Whether `state` is used as a whole, or a method of it is called, so that any field may be read.
    pub(crate) whole: bool,
}

/// A use of a field: the tokens of `state.field`.
#[derive(Debug, Clone)]
pub(crate) struct FieldUse {
    state: Ident,
    dot: Punct,
    pub(crate) field: Ident,
    /// The fields that are read of it, from the outermost inward.
    pub(crate) parts: Vec<String>,
}

impl ToTokens for FieldUse {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.state.to_tokens(tokens);
        self.dot.to_tokens(tokens);
        self.field.to_tokens(tokens);
    }
}

impl StateUses {
    pub(crate) fn from_expr(expr: &Expr) -> Self {
        let mut uses = Self::default();
        uses.look_into(expr.to_token_stream());
        uses
    }

    /// Returns all fields that are read, with or without `?`.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &Ident> {
        self.reads.iter().chain(&self.options).map(|used| &used.field)
    }

    pub(super) fn look_into(&mut self, tokens: TokenStream) {
        let mut flat = Vec::new();
        flatten(tokens, &mut flat);
        for (at, token) in flat.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.look_into(group.stream()),
                TokenTree::Ident(name) if name == "state" && is_variable(&flat, at) => {
                    self.look_at(name, &flat[at + 1..]);
                }
                TokenTree::Literal(literal) => self.whole |= captures(&literal.to_string()),
                _ => {}
            }
        }
    }

    fn look_at(&mut self, state: &Ident, after: &[TokenTree]) {
        let (Some(TokenTree::Punct(dot)), Some(TokenTree::Ident(field))) =
            (after.first(), after.get(1))
        else {
            self.whole = true;
            return;
        };
        let method = is_call(after.get(2)) || is_path_separator(after.get(2..).unwrap_or_default());
        if dot.as_char() != '.' || method || field == "await" {
            self.whole = true;
            return;
        }
        let parts = parts(after.get(2..).unwrap_or_default());
        let used = FieldUse { state: state.clone(), dot: dot.clone(), field: field.clone(), parts };
        let uses = if is(after.get(2), '?') { &mut self.options } else { &mut self.reads };
        uses.push(used);
    }
}

/// Returns the fields in `.field.field`, up to a method or anything else.
fn parts(mut after: &[TokenTree]) -> Vec<String> {
    let mut parts = Vec::new();
    while let [dot, TokenTree::Ident(field), rest @ ..] = after
        && is(Some(dot), '.')
        && !is_call(rest.first())
        && !is_path_separator(rest)
        && field != "await"
    {
        parts.push(field.to_string());
        after = rest;
    }
    parts
}

/// Removes the invisible groups around tokens that a user's macro has passed on.
fn flatten(tokens: TokenStream, into: &mut Vec<TokenTree>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                flatten(group.stream(), into);
            }
            token => into.push(token),
        }
    }
}

/// Returns whether a name is a variable, not a field, a lifetime, a function or a path.
fn is_variable(tokens: &[TokenTree], at: usize) -> bool {
    let before = |count: usize| at.checked_sub(count).and_then(|at| tokens.get(at));
    let range = is(before(1), '.') && is(before(2), '.');
    let part = (is(before(1), '.') && !range)
        || (is(before(1), ':') && is(before(2), ':'))
        || is(before(1), '\'');
    let after = tokens.get(at + 1);
    let called = is_call(after)
        || (is(after, '!') && matches!(tokens.get(at + 2), Some(TokenTree::Group(_))));
    !part && !called && !is(after, ':')
}

fn is(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

fn is_call(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis)
}

fn is_path_separator(tokens: &[TokenTree]) -> bool {
    is(tokens.first(), ':') && is(tokens.get(1), ':')
}

/// Returns whether a format string captures the variable `state`.
fn captures(literal: &str) -> bool {
    let mut braces = literal.split('{').skip(1);
    braces.any(|rest| {
        rest.strip_prefix("state").is_some_and(|rest| rest.trim_start().starts_with(['}', ':']))
    })
}
