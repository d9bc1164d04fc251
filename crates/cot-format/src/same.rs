//! Compares texts by their tokens and comments.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::{
    grammar::read_tokens,
    lexer::{Token, TokenKind, lex},
};

/// Returns whether two bodies have the same tokens, except for commas, and the same comments between them. The tokens
/// are compared as this crate reads them and as `proc_macro2` does.
pub(crate) fn are_same_bodies(before: &str, after: &str) -> bool {
    let streams = (read_tokens(before), read_tokens(after));
    let (Ok(first), Ok(second)) = streams else { return false };
    have_same_order(before, after) && are_same_streams(first, second)
}

/// Returns whether Rust code has the same tokens and comments, except for commas without a meaning.
pub(crate) fn is_same_code(before: &str, after: &str) -> bool {
    let streams = (read_tokens(before), read_tokens(after));
    let (Ok(first), Ok(second)) = streams else { return false };
    have_same_order(before, after) && are_same_streams(normal(first), normal(second))
}

/// Compares tokens and comments in their order, without commas.
fn have_same_order(before: &str, after: &str) -> bool {
    let (Ok(first), Ok(second)) = (lex(before), lex(after)) else { return false };
    let is_kept = |token: &&Token| token.kind != TokenKind::Punct(',');
    let mut second = second.iter().filter(is_kept);
    let is_equal = |token: &Token| {
        let other = second.next()?;
        let (text, other_text) = (&before[token.range.clone()], &after[other.range.clone()]);
        let equal = match token.kind.is_comment() {
            true => lines(text).eq(lines(other_text)),
            false => text == other_text,
        };
        (equal && token.kind == other.kind).then_some(())
    };
    first.iter().filter(is_kept).map(is_equal).all(|equal| equal.is_some())
        && second.next().is_none()
}

/// Returns the lines of a comment without their indentation.
fn lines(comment: &str) -> impl Iterator<Item = &str> {
    comment.lines().map(str::trim)
}

/// Compares tokens without commas.
fn are_same_streams(first: TokenStream, second: TokenStream) -> bool {
    let is_kept =
        |token: &TokenTree| !matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',');
    let mut second = second.into_iter().filter(is_kept);
    for token in first.into_iter().filter(is_kept) {
        let Some(other) = second.next() else { return false };
        let is_equal = match (&token, &other) {
            (TokenTree::Group(a), TokenTree::Group(b)) => {
                a.delimiter() == b.delimiter() && are_same_streams(a.stream(), b.stream())
            }
            (a, b) => a.to_string() == b.to_string(),
        };
        if !is_equal {
            return false;
        }
    }
    second.next().is_none()
}

/// Marks the commas that mean something: those of tuples with one element.
fn normal(stream: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = Vec::new();
    for token in stream {
        let TokenTree::Group(group) = token else {
            tokens.push(token);
            continue;
        };
        let inner: Vec<TokenTree> = group.stream().into_iter().collect();
        let commas = inner.iter().filter(|token| is_comma(token)).count();
        let is_call = matches!(tokens.last(), Some(TokenTree::Ident(_) | TokenTree::Group(_)));
        let is_tuple = group.delimiter() == Delimiter::Parenthesis
            && commas == 1
            && inner.last().is_some_and(is_comma)
            && !is_call;
        tokens.push(proc_macro2::Group::new(group.delimiter(), normal(group.stream())).into());
        if is_tuple {
            tokens.push(proc_macro2::Punct::new(';', proc_macro2::Spacing::Alone).into());
        }
    }
    tokens.into_iter().collect()
}

fn is_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_comments_and_literals_count_and_spaces_do_not() {
        for (before, after, same) in [
            ("a: b", "a:b,", true),
            ("a \"x  y\"", "a \"x y\"", false),
            ("a /* x\n  y */ b", "a /* x\ny */ b", true),
            ("a /* x */ b", "a b /* x */", false),
            ("a // x\n b", "a b // x", false),
            ("a // x\n , b", "a, // x\n b", true),
            ("a b", "ab", false),
            ("a { b }", "a ( b )", false),
        ] {
            assert_eq!(are_same_bodies(before, after), same, "{before} | {after}");
        }
        assert!(is_same_code("f(a, b,)", "f(a, b)"));
        assert!(!is_same_code("(a,)", "(a)"));
    }
}
