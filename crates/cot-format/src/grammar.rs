//! Reads a body with the grammar of `cot_process!`, and finds the Rust code in it.

use cot_syntax::{Process, diagnostics::Errors};
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

use crate::{fragments::collect, outline::Outline};

/// A mistake in a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MistakeError {
    /// The offset in the body.
    pub(crate) at: usize,
    /// What is wrong.
    pub(crate) message: String,
}

/// Reads a body. Fails with its first mistake.
pub(crate) fn read(body: &str) -> Result<Outline, MistakeError> {
    let tokens = read_tokens(body)?;
    let errors = Errors::new();
    let process = cot_syntax::parse(without_conditions(tokens), &errors);
    let mistake = errors.into_distinct().map(|error| mistake(error.span(), &error)).next();
    match (process, mistake) {
        (_, Some(mistake)) => Err(mistake),
        (Some(process), None) => Ok(outline(&process)),
        (None, None) => Err(MistakeError { at: 0, message: "expected a process".to_owned() }),
    }
}

/// Reads the tokens of a body.
pub(crate) fn read_tokens(body: &str) -> Result<TokenStream, MistakeError> {
    body.parse().map_err(|error: proc_macro2::LexError| mistake(error.span(), &error))
}

fn mistake(span: Span, error: &impl ToString) -> MistakeError {
    let text = error.to_string();
    let message = text.lines().next().unwrap_or_default().to_owned();
    MistakeError { at: span.byte_range().start, message }
}

/// Removes what the macro takes away before it reads a process, `#[cfg(…)]`, and the word `include`, so that no file
/// is read.
fn without_conditions(tokens: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match &token {
            TokenTree::Group(group) => {
                if is_condition(group) && ends_with_mark(&kept) {
                    kept.pop();
                    continue;
                }
                let mut inner = Group::new(group.delimiter(), without_conditions(group.stream()));
                inner.set_span(group.span());
                kept.push(inner.into());
            }
            TokenTree::Literal(literal) => {
                let is_text = literal.to_string().ends_with('"');
                let is_include =
                    |last: &TokenTree| matches!(last, TokenTree::Ident(word) if word == "include");
                if is_text && kept.last().is_some_and(is_include) {
                    kept.pop();
                }
                kept.push(token);
            }
            _ => kept.push(token),
        }
    }
    kept.into_iter().collect()
}

fn is_condition(group: &Group) -> bool {
    let first = group.stream().into_iter().next();
    group.delimiter() == Delimiter::Bracket
        && matches!(first, Some(TokenTree::Ident(word)) if word == "cfg")
}

fn ends_with_mark(tokens: &[TokenTree]) -> bool {
    matches!(tokens.last(), Some(TokenTree::Punct(mark)) if mark.as_char() == '#')
}

fn outline(process: &Process) -> Outline {
    let mut outline = Outline::default();
    collect(process, &mut outline);
    outline.fragments.retain(|fragment| !fragment.range.is_empty());
    outline.fragments.sort_by_key(|fragment| fragment.range.start);
    outline
}
