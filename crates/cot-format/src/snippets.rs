//! Rust code for rustfmt: one file with a function for each piece of code.

use std::ops::Range;

use crate::{
    indent::STEP,
    lexer::{Token, TokenKind, lex},
    same::is_same_code,
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
    fn before(self) -> String {
        match self {
            Self::Assignment(width) => format!("{} =", "a".repeat(width.max(4) - 3)),
            Self::Type(width) => format!("let {}:", "_".repeat(width.max(7) - 6)),
            Self::Condition => "if".to_owned(),
        }
    }

    const fn after(self) -> &'static str {
        match self {
            Self::Condition => "{}",
            _ => ";",
        }
    }
}

/// Rust code for one call of rustfmt.
#[derive(Debug)]
pub struct Batch<'s> {
    snippets: &'s [&'s Snippet],
    marker: String,
}

impl<'s> Batch<'s> {
    /// Creates a batch.
    pub fn new(snippets: &'s [&'s Snippet]) -> Self {
        let mut marker = "cot_format".to_owned();
        while snippets.iter().any(|snippet| snippet.text.contains(&marker)) {
            marker.push('_');
        }
        Self { snippets, marker }
    }

    /// Returns the file for rustfmt.
    pub fn source(&self) -> String {
        let mut source = String::new();
        for (index, snippet) in self.snippets.iter().enumerate() {
            let (before, after) = (snippet.wrapper.before(), snippet.wrapper.after());
            let inner = snippet.depth.saturating_sub(1);
            source.push_str(&self.head(index));
            source.push_str(&"{\n".repeat(inner));
            source.push_str(&format!("{before} {}{after}\n", snippet.text));
            source.push_str(&"}\n".repeat(inner + 1));
        }
        source
    }

    fn head(&self, index: usize) -> String {
        format!("fn {}{index}() {{\n", self.marker)
    }

    /// Returns the code in a formatted file. An element is `None` where rustfmt changed more than the layout.
    pub fn split(&self, formatted: &str) -> Vec<Option<String>> {
        let mut found = Vec::with_capacity(self.snippets.len());
        let mut rest = formatted;
        for (index, snippet) in self.snippets.iter().enumerate() {
            let (head, next) = (self.head(index), self.head(index + 1));
            let body = rest.find(&head).map(|start| &rest[start + head.len()..]);
            let Some(body) = body else {
                found.push(None);
                continue;
            };
            let end = body.find(&next).unwrap_or(body.len());
            rest = &body[end..];
            let code = snippet.unwrap(&body[..end]);
            found.push(code.filter(|code| is_same_code(&snippet.text, code)));
        }
        found
    }
}

impl Snippet {
    /// Takes the code out of the body of its function.
    fn unwrap(&self, body: &str) -> Option<String> {
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
