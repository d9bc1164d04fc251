//! How characters count when texts are compared.

/// The class of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Of no meaning: a soft hyphen, or a mark without width.
    Nothing,
    /// White space.
    Space,
    /// A hyphen or a dash.
    Dash,
    /// A part of the text.
    Mark,
}

pub(super) fn class(c: char) -> Class {
    match c {
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => Class::Nothing,
        '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => {
            Class::Dash
        }
        c if c.is_whitespace() => Class::Space,
        _ => Class::Mark,
    }
}

/// Adds a character in the form in which it is compared: without case, and with one form for all quotation marks.
pub(super) fn fold(c: char, into: &mut String) {
    match c {
        '"' | '`' | '\'' | '\u{b4}' | '\u{ab}' | '\u{bb}' | '\u{2018}'..='\u{201f}' => {
            into.push('\'');
        }
        '\u{2032}' | '\u{2033}' | '\u{2039}' | '\u{203a}' | '\u{ff02}' | '\u{ff07}' => {
            into.push('\'');
        }
        '\u{2026}' => into.push_str("..."),
        // The wide forms of ASCII.
        '\u{ff01}'..='\u{ff5e}' => {
            let narrow = u32::from(c).checked_sub(0xfee0).and_then(char::from_u32).unwrap_or(c);
            into.push(narrow.to_ascii_lowercase());
        }
        c if c.is_ascii() => into.push(c.to_ascii_lowercase()),
        // By way of the capital letter, since `ß` and `SS` differ in lower case.
        c => into.extend(c.to_uppercase().flat_map(char::to_lowercase)),
    }
}

/// Returns whether a word can end between two characters.
pub(super) fn is_boundary(before: Option<char>, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return true };
    !is_joined(before, after) || is_unspaced(before) || is_unspaced(after)
}

/// Returns whether white space between two characters has a meaning: both are letters, or both digits.
pub(super) fn is_joined(before: char, after: char) -> bool {
    before.is_alphabetic() && after.is_alphabetic() || before.is_numeric() && after.is_numeric()
}

/// Returns whether a character belongs to a script that does not separate words by spaces, or attaches particles to
/// them.
pub(super) const fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}'       // Thai and Lao
        | '\u{1000}'..='\u{109f}'   // Burmese
        | '\u{1100}'..='\u{11ff}'   // Hangul
        | '\u{1780}'..='\u{17ff}'   // Khmer
        | '\u{3040}'..='\u{30ff}'   // Kana
        | '\u{3400}'..='\u{9fff}'   // Han
        | '\u{ac00}'..='\u{d7af}'   // Hangul
        | '\u{f900}'..='\u{faff}'   // Han
        | '\u{20000}'..='\u{323af}' // Han
    )
}
