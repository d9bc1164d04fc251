//! Classes of regular expressions that dialects support.

use regex_syntax::{
    ParserBuilder,
    hir::{Hir, HirKind, Look},
};

/// Returns a pattern as it is if it has neither backreferences nor look-around, so that an automaton can match
/// it.
pub(super) fn regular(pattern: &str) -> Option<String> {
    parse(pattern).map(|_| pattern.to_owned())
}

/// Returns a pattern as it is if it is [regular] and has no word boundaries.
pub(super) fn without_boundary(pattern: &str) -> Option<String> {
    parse(pattern).filter(|hir| !has_boundary(hir)).map(|_| pattern.to_owned())
}

fn parse(pattern: &str) -> Option<Hir> {
    ParserBuilder::new().build().parse(pattern).ok()
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

#[cfg(test)]
mod tests {
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
            assert_eq!(super::regular(pattern).is_some(), regular, "{pattern}");
            assert_eq!(super::without_boundary(pattern).is_some(), without_boundary, "{pattern}");
        }
    }
}
