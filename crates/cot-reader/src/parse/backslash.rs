//! Detects unescaped backslashes, as in a path, a formula or a pattern.
//!
//! A backslash that starts no JSON escape makes the others doubtful: `C:\temp\x` contains no tab.

use super::{
    cursor::{Parse, Parser},
    draft::Draft,
};
use crate::repair::catalogue::RepairKind;

/// The issue of a text whose backslashes are ambiguous.
const DOUBTFUL: &str =
    "has backslashes of which it is not clear whether they are escapes; write each backslash twice";

/// A text read under the assumption that its backslashes are unescaped.
#[derive(Debug, Default)]
struct PlainBackslashes {
    text: String,
    /// The number of escapes that make sense as plain backslashes.
    sensible: usize,
    /// The number of escapes that don't.
    doubtful: usize,
    /// The number of doubtful escapes except line breaks, which are common.
    rare: usize,
    /// The number of escapes that begin LaTeX commands in a formula.
    commands: usize,
    /// Whether there is a path that consists of escapes.
    has_path: bool,
}

impl Parser<'_, '_> {
    /// Replaces the text of a string if its escapes are plain backslashes. Rejects it if this is ambiguous.
    pub(super) fn check_backslashes(&mut self, draft: &mut Draft, end: usize) -> Parse<()> {
        if self.is_incomplete || !(draft.has_escapes || draft.has_pairs && draft.has_bare) {
            return Ok(());
        }
        self.fuel.burn(end.saturating_sub(draft.start));
        let bare = without_escapes(self.slice(draft.start, end), draft.has_bare);
        let is_meant = draft.has_bare || bare.commands > 0;
        if bare.doubtful == 0 && bare.sensible > 0 && (is_meant || self.has_bare_backslashes()) {
            draft.text = bare.text;
            draft.run = end;
            draft.notes.add(RepairKind::PlainBackslash);
            return Ok(());
        }
        let is_mixed = (bare.rare > 0 || bare.doubtful > 0 && bare.sensible > 0)
            && self.has_bare_backslashes();
        if is_meant && bare.doubtful > 0 || is_mixed || bare.has_path {
            return self.refused(DOUBTFUL);
        }
        Ok(())
    }

    /// Returns whether the reply contains an unescaped backslash.
    fn has_bare_backslashes(&mut self) -> bool {
        *self.bare_backslashes.get_or_insert_with(|| {
            self.fuel.burn(self.text.len());
            let mut rest = self.text;
            while let Some(at) = rest.find('\\') {
                let after = rest.get(at + 1..).unwrap_or_default();
                let Some(kind) = after.chars().next() else { break };
                if is_kept(after) && !after.starts_with(['"', '\\', '/']) {
                    return true;
                }
                rest = after.get(kind.len_utf8()..).unwrap_or_default();
            }
            false
        })
    }
}

/// Returns whether a backslash before this text starts no escape but is a character of its own.
pub(super) fn is_bare(after: &str) -> bool {
    let is_hex = |digits: usize| {
        after.get(1..=digits).is_some_and(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    after.chars().next().is_some_and(|kind| match kind {
        // A control character before a letter is practically never meant.
        'b' | 'f' => after.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic),
        'n' | 'r' | 't' => false,
        // A truncated escape is ambiguous.
        'u' => after.len() > 4 && !is_hex(4),
        'x' => after.len() > 2 && !is_hex(2),
        _ => kind.is_alphanumeric() || "()[]{}.+?|^".contains(kind),
    })
}

/// Returns whether a backslash before this text is a character, although it says nothing about other ones: before
/// a sign that Markdown, a shell or a formula escapes.
pub(super) fn is_kept(after: &str) -> bool {
    let is_sign = |c: char| c == ' ' || c.is_ascii_punctuation() && !matches!(c, '\'' | '`');
    is_bare(after) || after.starts_with(is_sign)
}

/// Returns whether valid JSON has escapes that may be meant as backslashes: those of a control character before a
/// letter, of a LaTeX command in a formula, and in a path.
pub(crate) fn has_odd_escapes(json: &str) -> bool {
    let bytes = json.as_bytes();
    let mut at = 0;
    while let Some(next) = memchr::memchr(b'\\', bytes.get(at..).unwrap_or_default()) {
        let place = at + next;
        let is_odd = match bytes.get(place + 1) {
            Some(b'b' | b'f') => bytes.get(place + 2).is_some_and(u8::is_ascii_alphabetic),
            Some(b'n' | b'r' | b't') => is_in_formula(json, place) || is_path(json, place),
            _ => false,
        };
        if is_odd {
            return true;
        }
        at = place + 2;
    }
    false
}

fn without_escapes(raw: &str, has_bare: bool) -> PlainBackslashes {
    let mut bare = PlainBackslashes::default();
    let mut at = 0;
    while let Some(next) = raw.get(at..).and_then(|rest| rest.find('\\')) {
        let place = at + next;
        bare.text.push_str(raw.get(at..place).unwrap_or_default());
        let Some(kind) = raw.get(place + 1..).and_then(|rest| rest.chars().next()) else { break };
        at = place + 1 + kind.len_utf8();
        match kind {
            '"' | '\'' | '/' => bare.text.push(kind),
            'b' | 'f' => bare.keep(kind, true),
            'n' | 'r' | 't' => {
                let is_sensible = is_command(raw, place) || is_in_path(raw, place);
                bare.commands += usize::from(is_in_formula(raw, place));
                bare.has_path |= is_path(raw, place);
                bare.rare += usize::from(kind != 'n' && !is_sensible);
                bare.keep(kind, is_sensible);
            }
            '\\' => {
                bare.keep(kind, !has_bare || place == 0 && is_in_path(raw, place));
                if !has_bare {
                    bare.sensible -= 1;
                    bare.text.pop();
                }
            }
            'u' => bare.keep_unicode(raw, place, &mut at),
            _ => {
                bare.text.push('\\');
                bare.text.push(kind);
            }
        }
    }
    bare.text.push_str(raw.get(at..).unwrap_or_default());
    bare
}

impl PlainBackslashes {
    fn keep(&mut self, kind: char, is_sensible: bool) {
        self.text.push('\\');
        self.text.push(kind);
        *if is_sensible { &mut self.sensible } else { &mut self.doubtful } += 1;
    }

    /// Reads a Unicode escape, which is one even among plain backslashes.
    fn keep_unicode(&mut self, raw: &str, place: usize, at: &mut usize) {
        let digits = raw.get(place + 2..place + 6);
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match unit.and_then(char::from_u32) {
            Some(c) => {
                self.text.push(c);
                *at = place + 6;
            }
            // A surrogate.
            None if unit.is_some() => self.keep('u', false),
            None => self.text.push_str("\\u"),
        }
    }
}

/// The LaTeX commands that begin like an escape.
const COMMANDS: &[&str] = &[
    "tau",
    "theta",
    "times",
    "text",
    "textbf",
    "textit",
    "textrm",
    "tan",
    "tanh",
    "tilde",
    "to",
    "top",
    "triangle",
    "therefore",
    "tfrac",
    "nu",
    "nabla",
    "neq",
    "ne",
    "neg",
    "not",
    "notin",
    "nmid",
    "newline",
    "ni",
    "nleq",
    "ngeq",
    "rho",
    "right",
    "rightarrow",
    "rangle",
    "rfloor",
    "rceil",
    "rm",
    "rvert",
    "rVert",
];

/// Returns whether a backslash begins a LaTeX command.
fn is_command(raw: &str, place: usize) -> bool {
    command(raw, place).is_some()
}

/// Returns the text after the LaTeX command that a backslash begins.
fn command(raw: &str, place: usize) -> Option<&str> {
    let rest = raw.get(place + 1..)?;
    let length = rest.bytes().take(24).take_while(u8::is_ascii_alphabetic).count();
    rest.get(..length).filter(|word| COMMANDS.contains(word)).and_then(|_| rest.get(length..))
}

/// Returns whether a backslash begins a LaTeX command whose surroundings are those of a formula: it has an argument
/// or an index, or stands after a dollar sign in its string.
fn is_in_formula(raw: &str, place: usize) -> bool {
    let Some(after) = command(raw, place) else { return false };
    let near = near(raw, place);
    let string = near.rfind('"').map_or(near, |quote| near.get(quote..).unwrap_or_default());
    after.starts_with(['{', '_', '^']) || string.contains('$')
}

/// Returns whether a backslash is in a path on a Windows drive after another one, and one of them begins the escape
/// of a character that words do not contain.
fn is_path(raw: &str, place: usize) -> bool {
    let drive = word_before(raw, place);
    let Some((letter, path)) = drive.split_once(":\\") else { return false };
    let rest = raw.get(place + 1..).unwrap_or_default();
    let is_rare = |text: &str| text.starts_with(['t', 'r']);
    letter.len() == 1
        && letter.bytes().all(|byte| byte.is_ascii_alphabetic())
        && rest.as_bytes().get(1).is_some_and(u8::is_ascii_alphanumeric)
        && (is_rare(rest) || path.split('\\').any(is_rare))
}

/// Maximum length of the text before a backslash that is inspected, in bytes.
const MAX_LOOK: usize = 300;

fn near(raw: &str, place: usize) -> &str {
    let before = raw.get(..place).unwrap_or_default();
    before.get(before.ceil_char_boundary(place.saturating_sub(MAX_LOOK))..).unwrap_or_default()
}

/// Returns the word that ends at a position.
fn word_before(raw: &str, place: usize) -> &str {
    let before = near(raw, place);
    let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '(' | '=' | ',');
    let start = before.rfind(is_end).map_or(0, |start| start + 1);
    before.get(start..).unwrap_or_default()
}

/// Returns whether a backslash is in a Windows path.
fn is_in_path(raw: &str, place: usize) -> bool {
    let rest = raw.get(place + 1..).unwrap_or_default();
    if place == 0 {
        let host = rest.strip_prefix('\\').unwrap_or_default();
        return host.starts_with(|c: char| c.is_ascii_alphanumeric());
    }
    let word = word_before(raw, place);
    let drive = word.as_bytes();
    let is_drive =
        drive.first().is_some_and(u8::is_ascii_alphabetic) && drive.get(1) == Some(&b':');
    let is_name = rest.starts_with(|c: char| c.is_ascii_alphanumeric());
    is_name
        && (is_drive && (word.len() == 2 || drive.get(2) == Some(&b'\\'))
            || word.starts_with("\\\\"))
}
