//! Questions about tokens that are not parsed.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Returns the group in braces that a token is.
pub fn braced(token: &TokenTree) -> Option<&Group> {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group),
        _ => None,
    }
}

/// Returns whether a token is a word.
pub fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

/// Returns whether a token is a mark.
pub fn is_mark(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}

/// Replaces the content of a group.
pub fn rebuild(group: &Group, inner: TokenStream) -> TokenTree {
    let mut rebuilt = Group::new(group.delimiter(), inner);
    rebuilt.set_span(group.span());
    TokenTree::Group(rebuilt)
}

/// Returns the end of the attributes that start at an index.
pub fn end_of_attributes(tokens: &[TokenTree], mut at: usize) -> usize {
    while let [mark, TokenTree::Group(group), ..] = tokens.get(at..).unwrap_or_default()
        && is_mark(mark, '#')
        && group.delimiter() == Delimiter::Bracket
    {
        at += 2;
    }
    at
}

/// Returns the end of an entry, after its comma. Commas in angle brackets do not end an entry. A `<` opens
/// brackets in a type and after `::`; elsewhere it is a comparison.
pub fn end_of_entry(tokens: &[TokenTree], start: usize, begins_with_type: bool) -> usize {
    let (mut depth, mut is_type) = (0_usize, begins_with_type);
    for (at, token) in tokens.iter().enumerate().skip(start) {
        let is_before = |back: usize, mark| {
            let before = at.checked_sub(back).and_then(|before| tokens.get(before));
            before.is_some_and(|before| is_mark(before, mark))
        };
        let follows = |mark| is_before(1, mark);
        let TokenTree::Punct(mark) = token else { continue };
        match mark.as_char() {
            ',' if depth == 0 => return at + 1,
            '=' if depth == 0 => is_type = false,
            '<' if is_type || (follows(':') && is_before(2, ':')) => depth += 1,
            '>' if !follows('-') && !follows('=') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    tokens.len()
}
