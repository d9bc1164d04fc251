//! The codes of errors. Each entry on the page of errors has one, which `cot explain` takes.

/// The codes with the patterns of their messages, one pattern a line. A test (`errors_page`) writes this file from the
/// headings of the page.
const CODES: &str = include_str!("codes.txt");

/// Returns a message with its code at the end of the first line.
pub fn with_code(message: &str) -> String {
    let (first, rest) = message.split_at(message.find('\n').unwrap_or(message.len()));
    match code_of(first) {
        Some(code) => format!("{first} [{code}]{rest}"),
        None => message.to_owned(),
    }
}

/// Returns the code of a message of one line. Of several patterns that match, the one with the most text of its own
/// decides.
pub fn code_of(message: &str) -> Option<&'static str> {
    let rows = CODES.lines().filter_map(|line| line.split_once(' '));
    let fitting = rows.filter(|(_, pattern)| matches(pattern, message));
    fitting.max_by_key(|(_, pattern)| letters(pattern)).map(|(code, _)| code)
}

/// Returns the length of a pattern in bytes, without its `…`.
fn letters(pattern: &str) -> usize {
    pattern.split('…').map(str::len).sum()
}

/// Returns whether a text is like a pattern, in which each `…` stands for any text.
pub fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, pattern)) = pattern.split_once('…') else {
        return pattern == text;
    };
    let Some(mut rest) = text.strip_prefix(start) else {
        return false;
    };
    let (middle, end) = pattern.rsplit_once('…').map_or(("", pattern), |(a, b)| (a, b));
    for piece in middle.split('…') {
        let Some((_, after)) = rest.split_once(piece) else {
            return false;
        };
        rest = after;
    }
    rest.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_stands_for_every_name() {
        assert!(matches("no task `…` in this process", "no task `ad` in this process"));
        assert!(matches(
            "nothing is at least … and at most …",
            "nothing is at least 9 and at most 3"
        ));
        assert!(!matches("no task `…` in this process", "no part `rule`"));
        assert!(!matches("expected a type", "expected a type, found a hat"));
        assert!(!matches("`…` is a flag", "this `end` is a flag"));
        assert!(!matches("`…` is `…` twice", "`a` is twice"));
    }

    #[test]
    fn a_code_is_at_the_end_of_the_first_line() {
        let code = code_of("no task `ad` in this process").unwrap();
        let coded = with_code("no task `ad` in this process\n\n  = help: did you mean `add`?");
        let expected =
            format!("no task `ad` in this process [{code}]\n\n  = help: did you mean `add`?");
        assert_eq!(coded, expected);
        assert_eq!(with_code("of nobody"), "of nobody");
    }

    #[test]
    fn the_pattern_with_the_most_text_decides() {
        let in_branch = "`process_output` is not allowed in task `a`, which is in a branch";
        assert_ne!(code_of(in_branch), code_of("`run` is not allowed in a terminal"));
        // As long as `expected …` in bytes, which stands for every other token.
        assert_ne!(code_of("expected `,`"), code_of("expected a hat"));
        assert!(code_of("expected a hat").is_some());
    }
}
