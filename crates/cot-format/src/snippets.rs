//! Rust code of bodies that rustfmt formats, and code for which it is not needed.

use std::ops::Range;

use crate::{
    indent::STEP,
    lexer::{Token, TokenKind, lex},
};

/// Rust code as rustfmt is given it: at the depth and behind as much text as in its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The code. Its lines after the first are indented for `depth`.
    pub(crate) text: String,
    /// The steps of indentation.
    pub(crate) depth: usize,
    pub(crate) wrapper: Wrapper,
}

/// The statement that contains a piece of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrapper {
    /// An assignment, with the width of what precedes the value.
    Assignment(usize),
    /// A declaration, with the width of what precedes the type.
    Type(usize),
    /// The condition of an `if`, which can contain `let`.
    Condition,
}

impl Wrapper {
    /// Returns what stands before the code.
    pub(crate) fn before(self) -> String {
        match self {
            Self::Assignment(width) => format!("{} =", "a".repeat(width.max(4) - 3)),
            Self::Type(width) => format!("let {}:", "_".repeat(width.max(7) - 6)),
            Self::Condition => "if".to_owned(),
        }
    }

    pub(crate) const fn after(self) -> &'static str {
        match self {
            Self::Condition => "{}",
            _ => ";",
        }
    }
}

impl Snippet {
    /// Returns the snippet of formatted code, if rustfmt can format it in another way: its comments can move.
    pub(crate) fn again(&self, formatted: &str) -> Option<Self> {
        let tokens = lex(formatted).unwrap_or_default();
        let has_comments = tokens.iter().any(|token| token.kind.is_comment());
        has_comments.then(|| Self { text: formatted.trim_start().to_owned(), ..*self })
    }

    /// Takes the code out of the body of its function.
    pub(crate) fn unwrap(&self, body: &str) -> Option<String> {
        let mut inner = body.trim_end().strip_suffix('}')?;
        for _ in 1..self.depth {
            inner = inner.trim().strip_prefix('{')?.strip_suffix('}')?;
        }
        let statement = inner.trim();
        let code =
            statement.strip_prefix(&self.wrapper.before())?.strip_suffix(self.wrapper.after())?;
        let code = code.trim_end();
        let first = code.trim_start();
        let is_below = code[..code.len() - first.len()].contains('\n');
        Some(if is_below {
            format!("\n{}{first}", " ".repeat((self.depth + 1) * STEP))
        } else {
            first.to_owned()
        })
    }
}

/// Returns code that has one layout in any width, such as `state.items`, without white space.
pub(crate) fn compact(code: &str) -> Option<String> {
    let tokens = lex(code).ok()?;
    let mut text = String::with_capacity(code.len());
    let mut last: Option<&Token> = None;
    for (index, token) in tokens.iter().enumerate() {
        let is_word = |token: &Token| matches!(token.kind, TokenKind::Word | TokenKind::Literal);
        let allowed = match token.kind {
            TokenKind::Word | TokenKind::Literal => !last.is_some_and(is_word),
            TokenKind::Punct('.' | '?') => true,
            TokenKind::Punct(':') => is_pair(&tokens, index, &token.range),
            TokenKind::Punct('&' | '*' | '!' | '-') => {
                last.is_none_or(|last| matches!(last.kind, TokenKind::Open(_)))
            }
            TokenKind::Open('(') => {
                tokens.get(index + 1).is_some_and(|next| next.kind == TokenKind::Close(')'))
            }
            TokenKind::Open('[') => last.is_some(),
            TokenKind::Close(')' | ']') => true,
            _ => false,
        };
        if !allowed {
            return None;
        }
        text.push_str(&code[token.range.clone()]);
        last = Some(token);
    }
    (!text.contains('\n')).then_some(text)
}

/// Returns whether a colon is one of two.
fn is_pair(tokens: &[Token], index: usize, range: &Range<usize>) -> bool {
    let is_colon = |token: &Token| token.kind == TokenKind::Punct(':');
    let before = index.checked_sub(1).and_then(|index| tokens.get(index));
    let after = tokens.get(index + 1);
    before.is_some_and(|token| is_colon(token) && token.range.end == range.start)
        || after.is_some_and(|token| is_colon(token) && token.range.start == range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_code_needs_no_rustfmt() {
        for (code, text) in [
            ("state . a\n.b", Some("state.a.b")),
            ("! output.is_empty ( )", Some("!output.is_empty()")),
            ("a :: b", Some("a::b")),
            ("map [ \"key\" ].items[]", Some("map[\"key\"].items[]")),
            ("a + b", None),
            ("&mut a", None),
            ("a. /* x */ b", None),
            ("f(a)", None),
        ] {
            assert_eq!(compact(code).as_deref(), text, "{code}");
        }
    }
}
