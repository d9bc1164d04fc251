//! Brackets in Rust code that may not be whole: where an expression ends, and which bracket is left.

/// A bracket that has no partner.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unbalanced {
    /// It is never closed. `closing` closes it, and what is open before it.
    Open { open: char, closing: String },
    /// Another one is closed before it.
    Mismatch { open: char, close: char },
    /// It closes nothing.
    Close(char),
    /// A string that does not end.
    Text,
}

impl Unbalanced {
    /// The first bracket without a partner.
    pub(crate) fn find(code: &str) -> Option<Self> {
        let mut opened = Vec::new();
        let mut at = 0;
        while let Some(first) = code[at..].chars().next() {
            match first {
                '(' | '[' | '{' => opened.push(first),
                ')' | ']' | '}' => match opened.pop() {
                    Some(open) if partner(open) == first => {}
                    Some(open) => return Some(Self::Mismatch { open, close: first }),
                    None => return Some(Self::Close(first)),
                },
                _ => {}
            }
            let length = opaque(code, at);
            if first == '"' && (length < 2 || !code[at..at + length].ends_with('"')) {
                return Some(Self::Text);
            }
            at += length.max(first.len_utf8());
        }
        let open = *opened.last()?;
        Some(Self::Open { open, closing: opened.iter().rev().copied().map(partner).collect() })
    }
}

const fn partner(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

/// Where the `}` is that closes an expression; braces inside it, in strings, in characters and in
/// comments do not count.
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
        at += match opaque(code, at) {
            0 => first.len_utf8(),
            length => length,
        };
    }
    None
}

/// The length of the string, character or comment that begins here; 0 when there is none.
fn opaque(code: &str, at: usize) -> usize {
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
    // A character has its quote right behind it; a lifetime has none.
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
            |open, closing: &str| Some(Unbalanced::Open { open, closing: closing.to_owned() });
        for (code, found) in [
            ("json(state.notes)", None),
            ("f('(', \")\", r#\"]\"#, /* { */ [1])", None),
            ("json(state.notes", open('(', ")")),
            ("f(a[{ b", open('{', "}])")),
            ("a)", Some(Unbalanced::Close(')'))),
            ("f(a]", Some(Unbalanced::Mismatch { open: '(', close: ']' })),
            ("f(\"a)", Some(Unbalanced::Text)),
        ] {
            assert_eq!(Unbalanced::find(code), found, "{code}");
        }
    }
}
