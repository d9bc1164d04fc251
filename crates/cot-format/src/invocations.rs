//! Finds the invocations of `cot_process!` in Rust text.

use std::ops::Range;

use crate::lexer::{Token, TokenKind, UnclosedError, lex};

/// The name of the macro.
pub(crate) const NAME: &str = "cot_process";

/// The deepest nesting of delimiters in a body, as rustc's own limit.
const MAX_DEPTH: usize = 128;

/// The most tokens, with those around them, that nothing separates. Each can nest in the one before it, as in `!!a`, and
/// readers of Rust code use the stack for that.
const MAX_RUN: usize = 5_000;

/// An invocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Invocation {
    /// The text between its delimiters.
    pub(crate) body: Range<usize>,
    /// The number of its tokens and comments without commas, which formatting does not change.
    pub(crate) tokens: usize,
    /// Whether it is in the arguments of another macro or in its definition, and may be no process yet.
    pub(crate) is_quoted: bool,
}

/// The reason for which the invocations in a text can't be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchError {
    Unclosed(UnclosedError),
    Delimiter(usize),
    UnclosedBody(usize),
    Deep(usize),
}

impl SearchError {
    /// Returns the offset and the message.
    pub(crate) fn describe(self) -> (usize, String) {
        match self {
            Self::Unclosed(UnclosedError { at, what }) => {
                (at, format!("this {what} is not closed"))
            }
            Self::Delimiter(at) => (at, "this delimiter closes no other".to_owned()),
            Self::UnclosedBody(at) => (at, "this delimiter is not closed".to_owned()),
            Self::Deep(at) => (at, "this is nested too deeply to be formatted".to_owned()),
        }
    }
}

/// An open delimiter.
struct Open {
    delimiter: char,
    at: usize,
    is_macro: bool,
    is_process: bool,
    /// The tokens in it since the last separator.
    run: usize,
}

/// Finds the invocations in a text, in order.
pub(crate) fn find(text: &str) -> Result<Vec<Invocation>, SearchError> {
    if !text.contains(NAME) {
        return Ok(Vec::new());
    }
    let tokens = lex(text).map_err(SearchError::Unclosed)?;
    let mut finder = Finder {
        text,
        open: Vec::new(),
        process: None,
        run: 0,
        after_block: false,
        tokens: 0,
        found: Vec::new(),
    };
    let mut last: [Option<&Token>; 3] = [None; 3];
    for token in &tokens {
        finder.tokens += usize::from(token.kind != TokenKind::Punct(','));
        if token.kind.is_comment() {
            continue;
        }
        finder.add(token, last)?;
        last = [last[1], last[2], Some(token)];
    }
    match finder.process {
        Some(index) => Err(SearchError::UnclosedBody(finder.open[index].at)),
        None => Ok(finder.found),
    }
}

struct Finder<'t> {
    text: &'t str,
    open: Vec<Open>,
    /// The index of the invocation that is open.
    process: Option<usize>,
    /// The tokens of all runs in the invocation that is open.
    run: usize,
    /// Whether the last token closed a block.
    after_block: bool,
    /// The tokens since the invocation was opened.
    tokens: usize,
    found: Vec<Invocation>,
}

impl Finder<'_> {
    fn add(&mut self, token: &Token, last: [Option<&Token>; 3]) -> Result<(), SearchError> {
        if self.process.is_some() {
            self.count(token)?;
        }
        match token.kind {
            TokenKind::Open(delimiter) => self.open(token, delimiter, last),
            TokenKind::Close(delimiter) => self.close(token, delimiter),
            _ => Ok(()),
        }
    }

    /// Counts a token of an invocation.
    fn count(&mut self, token: &Token) -> Result<(), SearchError> {
        let is_next = match token.kind {
            TokenKind::Punct(mark) => {
                matches!(mark, ',' | ';') || (self.after_block && mark == '#')
            }
            TokenKind::Word => self.after_block && &self.text[token.range.clone()] != "else",
            _ => false,
        };
        self.after_block = token.kind == TokenKind::Close('}');
        let Some(open) = self.open.last_mut() else { return Ok(()) };
        if is_next || matches!(token.kind, TokenKind::Close(_)) {
            self.run = self.run.saturating_sub(open.run);
            open.run = 0;
        }
        (open.run, self.run) = (open.run + 1, self.run + 1);
        match self.run > MAX_RUN {
            true => Err(SearchError::Deep(token.range.start)),
            false => Ok(()),
        }
    }

    fn open(
        &mut self,
        token: &Token,
        delimiter: char,
        last: [Option<&Token>; 3],
    ) -> Result<(), SearchError> {
        let is_mark =
            |token: Option<&Token>| token.is_some_and(|token| token.kind == TokenKind::Punct('!'));
        let is_word =
            |token: Option<&Token>| token.is_some_and(|token| token.kind == TokenKind::Word);
        let is_invocation = is_mark(last[2]) && is_word(last[1]);
        let is_definition = is_word(last[2]) && is_mark(last[1]) && is_word(last[0]);
        let is_named = last[1].is_some_and(|name| &self.text[name.range.clone()] == NAME);
        let is_process = self.process.is_none() && is_invocation && is_named;
        if let Some(process) = self.process
            && self.open.len() - process > MAX_DEPTH
        {
            return Err(SearchError::Deep(token.range.start));
        }
        if is_process {
            (self.process, self.tokens) = (Some(self.open.len()), 0);
        }
        let at = token.range.start;
        let is_macro = is_invocation || is_definition;
        self.open.push(Open { delimiter, at, is_macro, is_process, run: 0 });
        Ok(())
    }

    fn close(&mut self, token: &Token, delimiter: char) -> Result<(), SearchError> {
        let matches = |open: &Open| {
            matches!((open.delimiter, delimiter), ('(', ')') | ('[', ']') | ('{', '}'))
        };
        let Some(open) = self.open.pop_if(|open| matches(open)) else {
            // Outside of bodies, wrong delimiters are left to rustc.
            return match self.process {
                Some(_) => Err(SearchError::Delimiter(token.range.start)),
                None => Ok(()),
            };
        };
        self.run = self.run.saturating_sub(open.run);
        if open.is_process {
            let is_quoted = self.open.iter().any(|open| open.is_macro);
            let body = open.at + 1..token.range.start;
            self.found.push(Invocation { body, tokens: self.tokens, is_quoted });
            (self.process, self.run) = (None, 0);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(text: &str) -> Vec<(&str, bool)> {
        let found = find(text).unwrap().into_iter();
        found.map(|it| (&text[it.body], it.is_quoted)).collect()
    }

    #[test]
    fn invocations_are_found_outside_of_texts_and_comments() {
        let text = "use a::cot_process; mod m { a::cot_process! { 1 { 2 } } } cot_process!(3); \
            // cot_process! { 4 }\n /// cot_process! { 5 }\n \"cot_process! { 6 }\" \
            cot_process /* x */ ! [7]; cot_process != { 8 }; m! { cot_process! { 9 } } \
            macro_rules! n { () => { cot_process! { 10 } } }";
        let expected =
            [(" 1 { 2 } ", false), ("3", false), ("7", false), (" 9 ", true), (" 10 ", true)];
        assert_eq!(bodies(text), expected);
    }

    #[test]
    fn incomplete_texts_are_refused() {
        for (text, at) in [
            ("cot_process! { a ", 13),
            ("cot_process! { ( } )", 17),
            ("cot_process! { } \"", 17),
            ("cot_process! { r#\"} }", 15),
        ] {
            assert_eq!(find(text).unwrap_err().describe().0, at, "{text}");
        }
        let run = |text: &str| find(&format!("cot_process! {{ {} }}", text.repeat(10_000)));
        for text in ["[", "!", "&", "a<", "if a {} else ", "{} +"] {
            assert!(matches!(run(text), Err(SearchError::Deep(_))), "{text}");
        }
        for text in ["task a { b }", "#[cfg(a)] task a { b }", "a: b,", "{ a; }, "] {
            assert_eq!(run(text).map(|found| found.len()), Ok(1), "{text}");
        }
        assert!(find("} cot_process! { } ) {").is_ok());
    }
}
