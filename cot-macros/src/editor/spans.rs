//! Spans of generated tokens.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};

/// Returns a copy of tokens that an editor does not connect with the originals.
pub(super) fn detached(tokens: impl IntoIterator<Item = TokenTree>) -> TokenStream {
    let detach = |token| match token {
        TokenTree::Group(group) => {
            TokenTree::Group(Group::new(group.delimiter(), detached(group.stream())))
        }
        mut token => {
            token.set_span(Span::call_site());
            token
        }
    };
    tokens.into_iter().map(detach).collect()
}

/// Returns a copy of a word that an editor does not connect with the original.
pub(super) fn detached_ident(word: &Ident) -> Ident {
    let mut word = word.clone();
    word.set_span(Span::call_site());
    word
}
