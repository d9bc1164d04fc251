//! Finds texts that look like keys: API keys of common vendors, and bearer tokens.

use std::ops::Range;

use memchr::{memchr2_iter, memmem};

/// The pattern of a kind of key.
struct KeyPattern {
    /// The start of the key. With `any_case`, its letters match in upper and lower case.
    prefix: &'static str,
    any_case: bool,
    /// Whether the prefix is part of the secret.
    prefix_is_secret: bool,
    /// The minimum length after the prefix.
    min: usize,
    /// The minimum length after the prefix without a digit in it, so that words don't match.
    min_without_digit: usize,
    /// The characters after the prefix that are allowed beside letters and digits.
    marks: &'static [u8],
}

impl KeyPattern {
    const fn key(prefix: &'static str, min: usize) -> Self {
        let marks = b"_-";
        Self { prefix, any_case: false, prefix_is_secret: true, min, min_without_digit: min, marks }
    }
}

const KEY_PATTERNS: &[KeyPattern] = &[
    KeyPattern {
        prefix: "bearer ",
        any_case: true,
        prefix_is_secret: false,
        min: 8,
        min_without_digit: 20,
        marks: b"._~+/=-",
    },
    KeyPattern::key("sk-", 16),
    KeyPattern::key("sk_live_", 16),
    KeyPattern::key("AKIA", 16),
    KeyPattern::key("ASIA", 16),
    KeyPattern::key("AIza", 30),
    KeyPattern::key("ghp_", 30),
    KeyPattern::key("gho_", 30),
    KeyPattern::key("ghs_", 30),
    KeyPattern::key("github_pat_", 30),
    KeyPattern::key("glpat-", 20),
    KeyPattern::key("xoxb-", 20),
    KeyPattern::key("xoxp-", 20),
    KeyPattern::key("hf_", 30),
];

/// Returns the ranges of a text that look like keys.
pub(super) fn find_keys(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    KEY_PATTERNS.iter().flat_map(|pattern| find_pattern(bytes, pattern)).collect()
}

fn find_pattern<'a>(
    bytes: &'a [u8],
    pattern: &'a KeyPattern,
) -> impl Iterator<Item = Range<usize>> + 'a {
    let candidates = find_prefix(bytes, pattern).filter(|at| starts_word(bytes, *at));
    candidates.filter_map(move |at| {
        let tail = at + pattern.prefix.len();
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || pattern.marks.contains(byte);
        let length = bytes[tail..].iter().take_while(is_part).count();
        let has_digit = bytes[tail..tail + length].iter().any(u8::is_ascii_digit);
        let min = if has_digit { pattern.min } else { pattern.min_without_digit };
        let start = if pattern.prefix_is_secret { at } else { tail };
        (length >= min).then_some(start..tail + length)
    })
}

/// Returns where a prefix occurs.
fn find_prefix<'a>(
    bytes: &'a [u8],
    pattern: &'a KeyPattern,
) -> Box<dyn Iterator<Item = usize> + 'a> {
    let prefix = pattern.prefix.as_bytes();
    if !pattern.any_case {
        return Box::new(memmem::find_iter(bytes, prefix));
    }
    let first = prefix.first().copied().unwrap_or_default();
    let starts = memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), bytes);
    Box::new(starts.filter(|at| {
        bytes.get(*at..at + prefix.len()).is_some_and(|text| text.eq_ignore_ascii_case(prefix))
    }))
}

/// Returns whether a word starts here: `task-list` contains no `sk-`. The letter of an escape such as `\n`
/// in JSON does not belong to a word.
fn starts_word(bytes: &[u8], at: usize) -> bool {
    match bytes[..at] {
        [] => true,
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., before] => !before.is_ascii_alphanumeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        find_keys(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn finds_keys() {
        for (text, key) in [
            ("my key is sk-proj-abcdef0123456789, keep it", "sk-proj-abcdef0123456789"),
            (r"a\nsk-abcdefghijklmnop", "sk-abcdefghijklmnop"),
            ("id=AKIAABCDEFGHIJKLMNOP;", "AKIAABCDEFGHIJKLMNOP"),
            ("Authorization: Bearer abc.def-123/4=", "abc.def-123/4="),
            ("authorization: bearer abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz"),
        ] {
            assert_eq!(found(text), [key], "{text}");
        }
    }

    #[test]
    fn finds_no_keys_in_words() {
        for text in [
            "",
            "sk-",
            "sk-short",
            "the task-list-of-a-long-project",
            "Bearer authentication",
            "the bearer of this letter",
            "AKIA",
            "ä sk-",
        ] {
            assert!(found(text).is_empty(), "{text}");
        }
    }
}
