//! Formats Rust code with few calls of rustfmt: one file has a function for each piece of code.

use crate::{same::is_same_code, snippets::Snippet};

/// The number of calls with which code that rustfmt refuses is looked for.
const MAX_CALLS: usize = 32;

/// The number of times that code with comments is formatted, until it stays the same.
const MAX_ROUNDS: usize = 3;

/// The reason for which rustfmt formatted nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It can't read the code.
    Code,
    /// It can't be called.
    Program,
}

/// Formats code. `rustfmt` formats a Rust file. An element is `None` where the code stays as it is written: rustfmt
/// refuses it, or would change more than its layout.
pub fn format_snippets(
    snippets: &[&Snippet],
    rustfmt: &mut impl FnMut(&str) -> Result<String, Refusal>,
) -> Vec<Option<String>> {
    let mut calls = Calls { left: MAX_CALLS, rustfmt };
    let mut codes = Vec::with_capacity(snippets.len());
    calls.format(snippets, &mut codes);
    // What the comments of the first round did is formatted again, so that a second run changes nothing.
    for round in 1..=MAX_ROUNDS {
        let again = |(index, code): (usize, &Option<String>)| {
            Some((index, snippets[index].again(code.as_deref()?)?))
        };
        let unsure: Vec<(usize, Snippet)> = codes.iter().enumerate().filter_map(again).collect();
        let mut formatted = Vec::with_capacity(unsure.len());
        calls
            .format(&unsure.iter().map(|(_, snippet)| snippet).collect::<Vec<_>>(), &mut formatted);
        let mut is_stable = true;
        for ((index, _), code) in unsure.into_iter().zip(formatted) {
            let is_same = codes[index] == code;
            is_stable &= is_same;
            codes[index] = code.filter(|_| is_same || round < MAX_ROUNDS);
        }
        if is_stable {
            break;
        }
    }
    codes
}

/// The calls of rustfmt.
struct Calls<'f, F> {
    left: usize,
    rustfmt: &'f mut F,
}

impl<F: FnMut(&str) -> Result<String, Refusal>> Calls<'_, F> {
    /// Formats code. Where rustfmt refuses a part of it, it is called for each half.
    fn format(&mut self, snippets: &[&Snippet], codes: &mut Vec<Option<String>>) {
        if snippets.is_empty() {
            return;
        }
        let batch = Batch::new(snippets);
        match self.call(&batch.source()) {
            Ok(formatted) => codes.extend(batch.split(&formatted)),
            Err(Refusal::Code) if snippets.len() > 1 => {
                let (first, second) = snippets.split_at(snippets.len() / 2);
                self.format(first, codes);
                self.format(second, codes);
            }
            Err(_) => codes.extend(snippets.iter().map(|_| None)),
        }
    }

    fn call(&mut self, source: &str) -> Result<String, Refusal> {
        self.left = self.left.checked_sub(1).ok_or(Refusal::Program)?;
        let formatted = (self.rustfmt)(source);
        if formatted == Err(Refusal::Program) {
            self.left = 0;
        }
        formatted
    }
}

/// Rust code for one call of rustfmt.
#[derive(Debug)]
struct Batch<'s> {
    snippets: &'s [&'s Snippet],
    marker: String,
}

impl<'s> Batch<'s> {
    /// Creates a batch.
    fn new(snippets: &'s [&'s Snippet]) -> Self {
        let mut marker = "cot_format".to_owned();
        while snippets.iter().any(|snippet| snippet.text.contains(&marker)) {
            marker.push('_');
        }
        Self { snippets, marker }
    }

    /// Returns the file for rustfmt.
    fn source(&self) -> String {
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
    fn split(&self, formatted: &str) -> Vec<Option<String>> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snippets::Wrapper;

    fn snippet(text: &str) -> Snippet {
        Snippet { text: text.to_owned(), depth: 2, wrapper: Wrapper::Assignment(6) }
    }

    #[test]
    fn refused_code_is_found_and_the_rest_is_formatted() {
        let texts: Vec<Snippet> = (0..40).map(|number| snippet(&format!("a({number})"))).collect();
        let mut rustfmt = |source: &str| match source.contains("a(13)") {
            true => Err(Refusal::Code),
            false => Ok(source.replace("(", "( ")),
        };
        let codes = format_snippets(&texts.iter().collect::<Vec<_>>(), &mut rustfmt);
        // The heads of the functions are changed too here, so that none is found.
        assert_eq!(codes, vec![None; 40]);
        let mut rustfmt = |source: &str| match source.contains("a(13)") {
            true => Err(Refusal::Code),
            false => Ok(source.to_owned()),
        };
        let codes = format_snippets(&texts.iter().collect::<Vec<_>>(), &mut rustfmt);
        assert_eq!(codes.iter().filter(|code| code.is_none()).count(), 1);
        assert_eq!((codes[12].as_deref(), codes[13].as_deref()), (Some("a(12)"), None));
    }

    #[test]
    fn code_with_other_tokens_is_not_taken() {
        let code = snippet("a(|x| { x })");
        let mut rustfmt = |source: &str| Ok(source.replace("{ x }", "x"));
        assert_eq!(format_snippets(&[&code], &mut rustfmt), [None]);
        let mut calls = 0;
        let mut rustfmt = |_: &str| {
            calls += 1;
            Err(Refusal::Program)
        };
        assert_eq!(format_snippets(&[&code, &code], &mut rustfmt), [None, None]);
        assert_eq!(calls, 1);
    }
}
