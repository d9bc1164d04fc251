//! Splits Rust text into tokens and comments, with their positions.
//!
//! `proc_macro2` drops comments and reads a text only as a whole. This lexer keeps comments, and finds the
//! invocations in a large file in one pass. It accepts more than Rust does: the bodies that it finds are read
//! by `proc_macro2` too before anything is changed.

use std::ops::Range;

/// A token or a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) range: Range<usize>,
}

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// An identifier or a keyword.
    Word,
    /// A literal or a lifetime.
    Literal,
    /// One character of punctuation.
    Punct(char),
    /// An opening delimiter.
    Open(char),
    /// A closing delimiter.
    Close(char),
    /// `// …`.
    LineComment,
    /// `/* … */`.
    BlockComment,
}

impl TokenKind {
    pub(crate) const fn is_comment(self) -> bool {
        matches!(self, Self::LineComment | Self::BlockComment)
    }
}

/// A literal or comment that is not closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnclosedError {
    /// The offset at which it begins.
    pub(crate) at: usize,
    /// What it is.
    pub(crate) what: &'static str,
}

/// Returns whether a comment is a doc comment, which is an attribute for macros.
pub(crate) fn is_doc(comment: &str) -> bool {
    let line = comment.starts_with("///") && !comment.starts_with("////");
    let block = comment.starts_with("/**") && !comment.starts_with("/***") && comment.len() > 4;
    line || block || comment.starts_with("//!") || comment.starts_with("/*!")
}

/// Splits a text into tokens and comments. White space is omitted.
pub(crate) fn lex(text: &str) -> Result<Vec<Token>, UnclosedError> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next_token()? {
        tokens.push(token);
    }
    Ok(tokens)
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_while(&mut self, accepts: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !accepts(c)).unwrap_or(rest.len());
    }

    fn next_token(&mut self) -> Result<Option<Token>, UnclosedError> {
        self.skip_while(|c| c.is_whitespace() || matches!(c, '\u{200e}' | '\u{200f}'));
        let start = self.at;
        let Some(first) = self.peek() else { return Ok(None) };
        let kind = match first {
            '/' if self.rest().starts_with("//") => self.line_comment(),
            '/' if self.rest().starts_with("/*") => self.block_comment()?,
            '"' => self.string(start, '"', "string")?,
            '\'' => self.quote(start)?,
            '(' | '[' | '{' => self.single(first, TokenKind::Open(first)),
            ')' | ']' | '}' => self.single(first, TokenKind::Close(first)),
            _ if first.is_ascii_digit() => self.number(),
            _ if is_word_start(first) => self.word(start)?,
            _ => self.single(first, TokenKind::Punct(first)),
        };
        Ok(Some(Token { kind, range: start..self.at }))
    }

    fn single(&mut self, character: char, kind: TokenKind) -> TokenKind {
        self.at += character.len_utf8();
        kind
    }

    fn line_comment(&mut self) -> TokenKind {
        let rest = self.rest();
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        self.at += line.trim_end_matches('\r').len();
        TokenKind::LineComment
    }

    fn block_comment(&mut self) -> Result<TokenKind, UnclosedError> {
        let (start, bytes) = (self.at, self.text.as_bytes());
        let mut depth = 0_usize;
        while let Some(pair) = bytes.get(self.at..self.at + 2) {
            match pair {
                b"/*" => depth += 1,
                b"*/" => depth -= 1,
                _ => {
                    self.at += 1;
                    continue;
                }
            }
            self.at += 2;
            if depth == 0 {
                return Ok(TokenKind::BlockComment);
            }
        }
        Err(UnclosedError { at: start, what: "comment" })
    }

    /// Reads a string or character from its opening quote.
    fn string(
        &mut self,
        start: usize,
        quote: char,
        what: &'static str,
    ) -> Result<TokenKind, UnclosedError> {
        self.at += 1;
        let rest = self.rest();
        let mut from = 0;
        while let Some(found) = rest[from..].find([quote, '\\']) {
            let at = from + found;
            if rest[at..].starts_with(quote) {
                self.at += at + 1;
                self.skip_while(is_word_part);
                return Ok(TokenKind::Literal);
            }
            from = at + 1 + rest[at + 1..].chars().next().map_or(0, char::len_utf8);
        }
        Err(UnclosedError { at: start, what })
    }

    /// Reads a raw string from its hashes. Returns `None` if none begins here.
    fn raw_string(&mut self, start: usize) -> Option<Result<TokenKind, UnclosedError>> {
        let rest = self.rest();
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        let content = rest[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", &rest[..hashes]);
        let Some(found) = content.find(&end) else {
            return Some(Err(UnclosedError { at: start, what: "raw string" }));
        };
        self.at += hashes + 1 + found + end.len();
        self.skip_while(is_word_part);
        Some(Ok(TokenKind::Literal))
    }

    /// Reads a character or a lifetime.
    fn quote(&mut self, start: usize) -> Result<TokenKind, UnclosedError> {
        let mut following = self.rest().chars().skip(1);
        let (first, second) = (following.next(), following.next());
        if first == Some('\\') || second == Some('\'') {
            // A quote in quotes, as in `'''`, is no character.
            return self.string(start, '\'', "character");
        }
        match first {
            Some(c) if is_word_start(c) => {
                self.at += 1;
                self.skip_while(is_word_part);
                Ok(TokenKind::Literal)
            }
            _ => Ok(self.single('\'', TokenKind::Punct('\''))),
        }
    }

    fn number(&mut self) -> TokenKind {
        let hexadecimal = self.rest().starts_with("0x");
        self.skip_while(is_word_part);
        let mut following = self.rest().chars();
        if following.next() == Some('.') {
            let next = following.next();
            let is_field = |c: char| c == '.' || is_word_start(c);
            if !next.is_some_and(is_field) {
                self.at += 1;
                self.skip_while(is_word_part);
            }
        }
        let is_exponent = self.text[..self.at].ends_with(['e', 'E']) && !hexadecimal;
        let sign = self.rest().strip_prefix(['+', '-']);
        if is_exponent && sign.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            self.at += 1;
            self.skip_while(is_word_part);
        }
        TokenKind::Literal
    }

    fn word(&mut self, start: usize) -> Result<TokenKind, UnclosedError> {
        self.skip_while(is_word_part);
        match (&self.text[start..self.at], self.peek()) {
            ("b" | "c", Some('"')) => self.string(start, '"', "string"),
            ("b", Some('\'')) => self.string(start, '\'', "byte"),
            ("r" | "br" | "cr", Some('"' | '#')) => match self.raw_string(start) {
                Some(literal) => literal,
                None => Ok(self.raw_word()),
            },
            _ => Ok(TokenKind::Word),
        }
    }

    /// Reads the rest of a raw identifier, such as `r#type`, after its `r`.
    fn raw_word(&mut self) -> TokenKind {
        let name = self.rest().strip_prefix('#');
        if name.is_some_and(|name| name.starts_with(is_word_start)) {
            self.at += 1;
            self.skip_while(is_word_part);
        }
        TokenKind::Word
    }
}

fn is_word_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

fn is_word_part(c: char) -> bool {
    c == '_' || c.is_alphanumeric() || (!c.is_ascii() && is_mark(c))
}

/// Returns whether a character is a combining mark, which identifiers can contain after their first character.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{20d0}'..='\u{20ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        lex(text).unwrap().into_iter().map(|token| &text[token.range]).collect()
    }

    #[test]
    fn tokens_end_where_those_of_rust_do() {
        for (text, tokens) in [
            ("r#type r\"}\" r##\"}\"#\"## br#\"a\"# c\"\\\"\"", 5),
            ("'a 'a' '\\'' b'\\\\' '\\u{1f}'", 5),
            ("1..2 1.5 1. 1h30m 0x1e+1 1e-5 1.max", 3 + 1 + 1 + 1 + 3 + 1 + 3),
            ("a/* /* } */ */b// }\nc", 5),
            ("\"\\\\\"if \"a\nb\"", 2),
        ] {
            // `..` is two characters of punctuation.
            let expected = tokens + text.matches("..").count();
            assert_eq!(words(text).len(), expected, "{:?}", words(text));
        }
    }

    #[test]
    fn open_literals_are_found() {
        for text in ["a \"b", "a r#\"b\"", "a /* /* */", "a '\\", "a b'"] {
            assert_eq!(lex(text).unwrap_err().at, 2, "{text}");
        }
    }
}
