//! Matches brackets in Rust code that may be incomplete: finds the end of an expression and unbalanced
//! brackets.

/// An unbalanced bracket or string.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BracketError {
    /// A bracket that is never closed. `closing` are the brackets that close it and all before it.
    Open { open: char, closing: String },
    /// A bracket that meets the closing bracket of another kind.
    Mismatch { open: char, close: char },
    /// A closing bracket without an opening one.
    Close(char),
    /// A string without a closing quote.
    UnclosedString,
}

impl BracketError {
    /// Finds the first unbalanced bracket or string.
    pub(crate) fn find(code: &str) -> Option<Self> {
        let mut opened = Vec::new();
        let mut at = 0;
        while let Some(first) = code[at..].chars().next() {
            match first {
                '(' | '[' | '{' => opened.push(first),
                ')' | ']' | '}' => match opened.pop() {
                    Some(open) if closing_bracket(open) == first => {}
                    Some(open) => return Some(Self::Mismatch { open, close: first }),
                    None => return Some(Self::Close(first)),
                },
                _ => {}
            }
            let length = token_length(code, at);
            if first == '"' && (length < 2 || !code[at..at + length].ends_with('"')) {
                return Some(Self::UnclosedString);
            }
            at += length.max(first.len_utf8());
        }
        let open = *opened.last()?;
        Some(Self::Open {
            open,
            closing: opened.iter().rev().copied().map(closing_bracket).collect(),
        })
    }
}

const fn closing_bracket(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

/// Returns the offset of the `}` that closes an expression. Nested braces and braces in strings, characters
/// and comments do not close it.
pub(crate) fn closing_brace(code: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(first) = code[at..].chars().next() {
        match first {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
        at += match token_length(code, at) {
            0 => first.len_utf8(),
            length => length,
        };
    }
    None
}

/// Returns the length of the string, character or comment that starts at an offset, or 0 if none does.
fn token_length(code: &str, at: usize) -> usize {
    let rest = &code[at..];
    let in_word = code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_');
    let ends_after = |start: usize, end: &str| {
        let from = rest.get(start..).unwrap_or_default();
        from.find(end).map_or(rest.len(), |found| start + found + end.len())
    };
    if rest.starts_with('"') {
        return string_length(rest);
    }
    if rest.starts_with('r') && (!in_word || code[..at].ends_with('b')) {
        let hashes = rest[1..].len() - rest[1..].trim_start_matches('#').len();
        if rest[1 + hashes..].starts_with('"') {
            return ends_after(2 + hashes, &format!("\"{}", "#".repeat(hashes)));
        }
    }
    if rest.starts_with("//") {
        return ends_after(2, "\n");
    }
    if rest.starts_with("/*") {
        return ends_after(2, "*/");
    }
    if rest.starts_with("'\\") {
        return ends_after(3, "'");
    }
    // A character literal has a second quote after one character; a lifetime has none.
    let mut characters = rest.char_indices().skip(1);
    match (rest.starts_with('\''), characters.next(), characters.next()) {
        (true, Some(_), Some((end, '\''))) => end + 1,
        _ => 0,
    }
}

fn string_length(code: &str) -> usize {
    let mut escaped = false;
    let end = code.char_indices().skip(1).find(|&(_, character)| {
        let ends = character == '"' && !escaped;
        escaped = character == '\\' && !escaped;
        ends
    });
    end.map_or(code.len(), |(end, _)| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bracket_without_a_partner_is_found() {
        let open =
            |open, closing: &str| Some(BracketError::Open { open, closing: closing.to_owned() });
        for (code, found) in [
            ("json(state.notes)", None),
            ("f('(', \")\", r#\"]\"#, /* { */ [1])", None),
            ("json(state.notes", open('(', ")")),
            ("f(a[{ b", open('{', "}])")),
            ("a)", Some(BracketError::Close(')'))),
            ("f(a]", Some(BracketError::Mismatch { open: '(', close: ']' })),
            ("f(\"a)", Some(BracketError::UnclosedString)),
        ] {
            assert_eq!(BracketError::find(code), found, "{code}");
        }
    }
}
