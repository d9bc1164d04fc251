//! A file with bodies, before and after rustfmt.

use std::ops::Range;

use crate::{
    fences::rust_blocks,
    grammar,
    indent::{Lines, indent_of, shift},
    invocations::{Invocation, NAME, find},
    layout::Layout,
    lexer::lex,
    outline::Fragment,
    plan::{Code, plan},
    problem::Problem,
    same::are_same_bodies,
    snippets::Snippet,
    tree::{self, List},
};

/// The most tokens in the bodies of one file: some ten times those of 500 tasks.
const MAX_TOKENS: usize = 250_000;

/// The most problems of one file that are reported.
const MAX_PROBLEMS: usize = 20;

/// The language of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Rust.
    Rust,
    /// Markdown. Its fenced blocks of Rust are formatted.
    Markdown,
}

/// A file whose bodies were read.
#[derive(Debug)]
pub struct Document<'t> {
    text: &'t str,
    width: usize,
    bodies: Vec<Body>,
    snippets: Vec<Snippet>,
}

#[derive(Debug)]
struct Body {
    range: Range<usize>,
    /// The text with line feeds as line ends.
    text: String,
    has_carriage_returns: bool,
    base: String,
    list: List,
    codes: Vec<Code>,
}

impl<'t> Document<'t> {
    /// Reads the bodies of a file. Fails with the mistakes in them.
    pub fn read(text: &'t str, language: Language, width: usize) -> Result<Self, Vec<Problem>> {
        let mut document = Self { text, width, bodies: Vec::new(), snippets: Vec::new() };
        if !text.contains(NAME) {
            return Ok(document);
        }
        let invocations = match language {
            Language::Rust => find(text).map_err(|error| {
                let (at, message) = error.describe();
                vec![Problem::new(text, at, message)]
            })?,
            Language::Markdown => in_blocks(text),
        };
        document.check_size(&invocations)?;
        let (file, mut problems) = (Lines::new(text), Vec::new());
        for invocation in invocations {
            // What other macros make of their arguments is not known, and guides leave out parts of a process.
            let is_optional = invocation.is_quoted || language == Language::Markdown;
            match document.add(invocation.body, &file) {
                Err(problem) if !is_optional => problems.push(problem),
                _ => {}
            }
            if problems.len() >= MAX_PROBLEMS {
                break;
            }
        }
        if problems.is_empty() { Ok(document) } else { Err(problems) }
    }

    fn check_size(&self, invocations: &[Invocation]) -> Result<(), Vec<Problem>> {
        let mut size = 0;
        for Invocation { body, tokens, .. } in invocations {
            size += tokens;
            if size > MAX_TOKENS {
                let message =
                    format!("the processes of this file have more than {MAX_TOKENS} tokens");
                return Err(vec![Problem::new(self.text, body.start, message)]);
            }
        }
        Ok(())
    }

    fn add(&mut self, range: Range<usize>, file: &Lines<'_>) -> Result<(), Problem> {
        let written = &self.text[range.clone()];
        let lines = written.matches('\n').count();
        let has_carriage_returns = lines > 0 && written.matches("\r\n").count() == lines;
        let text =
            if has_carriage_returns { written.replace("\r\n", "\n") } else { written.to_owned() };
        let outline = grammar::read(&text).map_err(|mistake| {
            let lines = text.get(..mistake.at).map_or(0, |before| before.matches('\n').count());
            let returns = if has_carriage_returns { lines } else { 0 };
            Problem::new(self.text, range.start + mistake.at + returns, mistake.message)
        })?;
        let tokens = lex(&text).unwrap_or_default();
        let list = tree::build(&text, &tokens, &outline);
        let line = file.before(range.start);
        let base = line[..line.len() - line.trim_start().len()].to_owned();
        let column = indent_of(&base);
        let fragments: &[Fragment] = &outline.fragments;
        let codes =
            plan(&Lines::new(&text), fragments, &list, column, self.width, &mut self.snippets);
        self.bodies.push(Body { range, text, has_carriage_returns, base, list, codes });
        Ok(())
    }

    /// Returns the Rust code of the file for rustfmt.
    pub fn snippets(&self) -> &[Snippet] {
        &self.snippets
    }

    /// Returns the formatted file. `formatted` has the code of each snippet, as
    /// [`format_snippets`](crate::format_snippets) returns it.
    ///
    /// Fails if a body would have other tokens or comments than before, which is a defect of this crate.
    pub fn finish(&self, formatted: &[Option<String>]) -> Result<String, Vec<Problem>> {
        let mut out = String::with_capacity(self.text.len());
        let (mut at, mut problems) = (0, Vec::new());
        for body in &self.bodies {
            out.push_str(&self.text[at..body.range.start]);
            at = body.range.end;
            let text = body.format(self.width, formatted);
            if !are_same_bodies(&body.text, &text) || grammar::read(&text).is_err() {
                let message =
                    "this process would be changed in more than its layout; please report it";
                problems.push(Problem::new(self.text, body.range.start, message.to_owned()));
            }
            match body.has_carriage_returns {
                true => out.push_str(&text.replace('\n', "\r\n")),
                false => out.push_str(&text),
            }
        }
        out.push_str(&self.text[at..]);
        if problems.is_empty() { Ok(out) } else { Err(problems) }
    }
}

impl Body {
    fn format(&self, width: usize, formatted: &[Option<String>]) -> String {
        let codes: Vec<String> = self.codes.iter().map(|code| text_of(code, formatted)).collect();
        let (text, base, lines) = (&self.text, &self.base, &Lines::new(&self.text));
        let layout = Layout { text, lines, codes: &codes, base, width };
        layout.body(&self.list)
    }
}

fn text_of(code: &Code, formatted: &[Option<String>]) -> String {
    match code {
        Code::Ready(text) => text.clone(),
        Code::Formatted { snippet, columns, written } => match formatted.get(*snippet) {
            Some(Some(text)) => shift(text, *columns),
            _ => written.clone(),
        },
    }
}

/// Finds the invocations in the Rust blocks of Markdown. A block that can't be read is left out.
fn in_blocks(text: &str) -> Vec<Invocation> {
    let mut found = Vec::new();
    for block in rust_blocks(text) {
        let invocations = find(&text[block.clone()]).unwrap_or_default();
        found.extend(invocations.into_iter().map(|invocation| {
            let Range { start, end } = invocation.body;
            Invocation { body: block.start + start..block.start + end, ..invocation }
        }));
    }
    found
}
