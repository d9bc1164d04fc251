//! Where in a text JSON may be: one pass, linear in the text whatever it holds.

use std::ops::Range;

/// The outermost regions that may be a JSON object or array, in their order.
pub(super) fn of(text: &str) -> Vec<Range<usize>> {
    let mut scanner = Scanner { text, open: Vec::new(), braces: 0, found: Vec::new(), thought: 0 };
    let mut position = 0;
    while position < text.len() {
        position = scanner.step(position);
    }
    scanner.abandon(text.len());
    scanner.forget_thoughts();
    scanner.found
}

/// Whether a text starts as an object does, or an array of objects, if not quite in JSON.
pub(super) fn starts_object(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| c == '[' || c.is_ascii_whitespace());
    text.strip_prefix('{').is_some_and(|inside| starts_member(inside.trim_ascii_start()))
}

/// `"key`, `'key` and `key:` start members.
fn starts_member(text: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == '-';
    let after_word = text.trim_start_matches(word);
    text.starts_with(['"', '\''])
        || after_word.len() < text.len() && after_word.trim_ascii_start().starts_with(':')
}

/// Opening and closing tags of what a model thinks aloud.
const THOUGHTS: &[(&str, &str)] = &[("<think>", "</think>"), ("<thinking>", "</thinking>")];

struct Scanner<'t> {
    text: &'t str,
    /// Positions of brackets that are not closed yet.
    open: Vec<usize>,
    /// How many of them are braces.
    braces: usize,
    /// Closed regions, none inside another.
    found: Vec<Range<usize>>,
    /// How many of these may be thoughts: they come before a closing tag that nothing opened.
    thought: usize,
}

impl<'t> Scanner<'t> {
    /// Takes what is at a position, and gives the position after it.
    fn step(&mut self, at: usize) -> usize {
        match self.byte(at) {
            b'{' | b'[' => self.push(at),
            close @ (b'}' | b']') => self.close(at, close),
            // Quotes in prose are no strings.
            b'"' if !self.open.is_empty() => return self.after_string(at),
            b'`' if self.rest(at).starts_with("```") => {
                // A fence; no JSON goes across it.
                self.abandon(at);
                return at + 3;
            }
            b'<' => return self.after_thoughts(at),
            _ => {}
        }
        at + 1
    }

    fn push(&mut self, at: usize) {
        self.braces += usize::from(self.byte(at) == b'{');
        self.open.push(at);
    }

    fn close(&mut self, at: usize, close: u8) {
        let (bracket, count) = match close {
            b'}' => (b'{', self.braces),
            _ => (b'[', self.open.len() - self.braces),
        };
        if count == 0 {
            return;
        }
        while let Some(start) = self.open.pop() {
            let opened = self.byte(start);
            self.braces -= usize::from(opened == b'{');
            if opened == bracket {
                self.add(start..at + 1);
                return;
            }
        }
    }

    fn add(&mut self, region: Range<usize>) {
        while self.found.pop_if(|inner| inner.start > region.start).is_some() {}
        self.found.push(region);
    }

    /// Gives up the brackets that are still open. JSON that breaks off is a region all the same, so
    /// that no part of it is taken for the whole.
    fn abandon(&mut self, at: usize) {
        let open = std::mem::take(&mut self.open);
        self.braces = 0;
        if let Some(start) = open.into_iter().find(|start| self.looks_like_json(*start)) {
            self.add(start..at);
        }
    }

    fn looks_like_json(&self, bracket: usize) -> bool {
        let inside = self.rest(bracket + 1).trim_ascii_start();
        if self.byte(bracket) == b'{' {
            inside.is_empty() || inside.starts_with('}') || starts_member(inside)
        } else {
            inside.starts_with(['"', '{', '['])
        }
    }

    /// The end of a string; a line's end ends it too, as JSON has no line breaks in strings.
    fn after_string(&self, quote: usize) -> usize {
        let mut at = quote + 1;
        loop {
            match self.byte(at) {
                b'\\' => at += 2,
                b'"' | b'\n' => return at + 1,
                _ if at >= self.text.len() => return at,
                _ => at += 1,
            }
        }
    }

    fn after_thoughts(&mut self, at: usize) -> usize {
        let rest = self.rest(at);
        for (opening, closing) in THOUGHTS {
            if rest.starts_with(opening) {
                self.abandon(at);
                let length = rest.find(closing).map_or(rest.len(), |end| end + closing.len());
                return at + length;
            }
            if rest.starts_with(closing) {
                // Some servers drop the opening tag: all before was thought.
                self.abandon(at);
                self.forget_thoughts();
                self.thought = self.found.len();
                return at + closing.len();
            }
        }
        at + 1
    }

    /// Drops what may be thoughts if an answer follows; else the answer is among them.
    fn forget_thoughts(&mut self) {
        let after = self.found.get(self.thought..).unwrap_or_default();
        if after.iter().any(|region| self.looks_like_json(region.start)) {
            self.found.drain(..self.thought);
            self.thought = 0;
        }
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or_default()
    }

    fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }
}
