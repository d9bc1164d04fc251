//! Classes of regular expressions that dialects support.

use regex_syntax::{
    ParserBuilder,
    hir::{Hir, HirKind, Look},
};

/// Returns whether a pattern has neither backreferences nor look-around, so that an automaton can match it.
pub(super) fn is_regular(pattern: &str) -> bool {
    ParserBuilder::new().build().parse(pattern).is_ok()
}

/// Returns whether a pattern is [regular](is_regular) and has no word boundaries.
pub(super) fn is_without_boundary(pattern: &str) -> bool {
    let parsed = ParserBuilder::new().build().parse(pattern);
    parsed.is_ok_and(|hir| !has_boundary(&hir))
}

fn has_boundary(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Look(look) => !matches!(look, Look::Start | Look::End),
        HirKind::Repetition(repetition) => has_boundary(&repetition.sub),
        HirKind::Capture(capture) => has_boundary(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(has_boundary),
        _ => false,
    }
}

/// Returns whether a pattern is anchored by `^` and `$` and has no escapes for character classes.
pub(super) fn is_plain_and_anchored(pattern: &str) -> bool {
    let inner = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$'));
    let Some(inner) = inner.filter(|inner| !inner.is_empty() && !inner.ends_with('\\')) else {
        return false;
    };
    // An inner anchor would apply to a single branch; the `^` of `[^a]` is not an anchor.
    let is_plain = |character, next: Option<char>| match character {
        '\\' => next.is_some_and(|next| !next.is_ascii_alphanumeric()),
        '^' => inner.matches('^').count() == inner.matches("[^").count(),
        '$' => false,
        _ => true,
    };
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        let next = if character == '\\' { characters.next() } else { None };
        if !is_plain(character, next) {
            return false;
        }
    }
    is_without_boundary(pattern) && !inner.contains("(?") && !has_top_level_choice(pattern)
}

/// Returns whether the top level of a pattern is a choice: each branch of `^a|b$` is anchored at one end
/// only.
fn has_top_level_choice(pattern: &str) -> bool {
    let parsed = ParserBuilder::new().build().parse(pattern);
    parsed.is_ok_and(|hir| matches!(hir.kind(), HirKind::Alternation(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn automata_neither_look_around_nor_back() {
        for (pattern, regular, without_boundary) in [
            (r"^[a-z]+\d{2}$", true, true),
            (r"^a|b$", true, true),
            (r"\bword\b", true, false),
            (r"^(?=a)b$", false, false),
            (r"^(a)\1$", false, false),
            ("(", false, false),
        ] {
            assert_eq!(is_regular(pattern), regular, "{pattern}");
            assert_eq!(is_without_boundary(pattern), without_boundary, "{pattern}");
        }
    }

    #[test]
    fn grammars_take_plain_expressions_alone() {
        for (pattern, expected) in [
            ("^[a-z][A-Za-z0-9]*$", true),
            (r"^[^\]a]{1,3}\.(x|yz)?$", true),
            ("^$", false),
            ("[a-z]+", false),
            (r"^\d+$", false),
            (r"^[\w.]+$", false),
            ("^a|b$", false),
            ("^(a|b)$", true),
            (r"^a\$", false),
            ("^(^a)$", false),
            ("^(?i)a$", false),
        ] {
            assert_eq!(is_plain_and_anchored(pattern), expected, "{pattern}");
        }
    }
}
