//! Signs that models write instead of those of the format.

use super::super::lex::Postfix;

/// Replacements of `↦`; longer ones come first.
const ARROWS: [&str; 13] =
    ["|->", "-->", "==>", "->", "=>", ":=", "⟼", "→", "⇒", "➡", "⟶", ":", "="];
/// Replacements of `•`.
const SEPARATORS: [&str; 10] = ["&bull;", ",", ";", "·", "∙", "●", "⋅", "・", "‧", "|"];
/// Replacements of the operators after an expression.
const POSTFIXES: [(&str, Postfix); 12] = [
    ("🔖", Postfix::Tag),
    ("#", Postfix::Tag),
    ("@", Postfix::Reference),
    ("⁜", Postfix::Reference),
    ("|==", Postfix::Satisfies),
    ("|=", Postfix::Satisfies),
    ("⊧", Postfix::Satisfies),
    ("⊢", Postfix::Satisfies),
    ("✓", Postfix::Satisfies),
    ("✔", Postfix::Satisfies),
    ("𝒑", Postfix::Confidence),
    ("𝐩", Postfix::Confidence),
];

/// Returns the length of a replacement of `↦` at the start of a text.
pub(super) fn arrow(text: &str) -> Option<usize> {
    ARROWS.iter().find(|sign| text.starts_with(**sign)).map(|sign| sign.len())
}

/// Returns the offset of a replacement of `↦` within a word, after a key.
pub(super) fn arrow_within(word: &str) -> Option<usize> {
    word.char_indices().skip(1).map(|(at, _)| at).find(|at| arrow(&word[*at..]).is_some())
}

/// Returns the length of a replacement of `•` at the start of a text.
pub(super) fn separator(text: &str) -> Option<usize> {
    let sign = SEPARATORS.iter().find(|sign| text.starts_with(**sign))?;
    // `|=` is a replacement of `⊨`, and `|-` is similar to it.
    (!text.starts_with("|=") && !text.starts_with("|-")).then_some(sign.len())
}

/// Parses a replacement of an operator at the start of a text. Returns the operator and the length.
pub(super) fn postfix(text: &str) -> Option<(Postfix, usize)> {
    let found = POSTFIXES.iter().find(|(sign, _)| text.starts_with(sign));
    if let Some((sign, postfix)) = found {
        let rest = &text[sign.len()..];
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '"' | '[');
        let near = if matches!(*sign, "#" | "@") { rest } else { rest.trim_start_matches(' ') };
        return near.starts_with(is_name).then_some((*postfix, sign.len()));
    }
    // `p 0.9` and `p=0.9`
    let rest = text.strip_prefix(['p', 'P'])?;
    let after = rest.trim_start_matches([' ', '\t']);
    let after = after.strip_prefix(['=', ':']).unwrap_or(after).trim_start_matches([' ', '\t']);
    let number = after.strip_prefix('.').unwrap_or(after);
    let length = text.len() - after.len();
    (length > 1 && number.starts_with(|c: char| c.is_ascii_digit()))
        .then_some((Postfix::Confidence, length))
}
