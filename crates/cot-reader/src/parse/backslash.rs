//! Backslashes that were written bare, as in a path, a formula or a pattern.
//!
//! One that starts no escape of JSON makes those doubtful that do: `C:\temp\x` holds no tab.

use super::{
    cursor::{Parse, Parser},
    draft::Draft,
};

/// What is said of a text where both are possible.
const DOUBTFUL: &str =
    "has backslashes of which it is not clear whether they are escapes; write each backslash twice";

/// How the escapes of a text look if its backslashes are bare.
#[derive(Debug, Default)]
struct Bare {
    text: String,
    /// How many escapes make sense as they are written, and how many do not.
    sensible: usize,
    doubtful: usize,
    /// How many of the latter are no line breaks, which are what texts have most.
    rare: usize,
}

impl Parser<'_, '_> {
    /// Decides whether the escapes of a text are some, where bare backslashes show that they may not be.
    pub(super) fn check_backslashes(&mut self, draft: &mut Draft, end: usize) -> Parse<()> {
        if self.is_coming || !(draft.has_escapes || draft.has_pairs && draft.has_bare) {
            return Ok(());
        }
        self.fuel.burn(end.saturating_sub(draft.start));
        let bare = bare(self.slice(draft.start, end), draft.has_bare);
        if bare.doubtful == 0
            && bare.sensible > 0
            && (draft.has_bare || self.has_bare_backslashes())
        {
            draft.text = bare.text;
            draft.run = end;
            return Ok(());
        }
        let is_mixed = (bare.rare > 0 || bare.doubtful > 0 && bare.sensible > 0)
            && self.has_bare_backslashes();
        if draft.has_bare && bare.doubtful > 0 || is_mixed {
            return self.refused(DOUBTFUL);
        }
        Ok(())
    }

    /// Whether a bare backslash is anywhere in the reply.
    fn has_bare_backslashes(&mut self) -> bool {
        *self.bare_backslashes.get_or_insert_with(|| {
            self.fuel.burn(self.text.len());
            let mut rest = self.text;
            while let Some(at) = rest.find('\\') {
                let after = rest.get(at + 1..).unwrap_or_default();
                let Some(kind) = after.chars().next() else { break };
                if is_bare(after) {
                    return true;
                }
                rest = after.get(kind.len_utf8()..).unwrap_or_default();
            }
            false
        })
    }
}

/// Whether a backslash before a text starts no escape, and is meant itself.
pub(super) fn is_bare(after: &str) -> bool {
    let is_hex = |digits: usize| {
        after.get(1..=digits).is_some_and(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    after.chars().next().is_some_and(|kind| match kind {
        'b' | 'f' | 'n' | 'r' | 't' => false,
        // Of what is cut off it is not clear.
        'u' => after.len() > 4 && !is_hex(4),
        'x' => after.len() > 2 && !is_hex(2),
        _ => kind.is_alphanumeric() || "()[]{}.+?|^".contains(kind),
    })
}

fn bare(raw: &str, has_bare: bool) -> Bare {
    let mut bare = Bare::default();
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

impl Bare {
    fn keep(&mut self, kind: char, is_sensible: bool) {
        self.text.push('\\');
        self.text.push(kind);
        *if is_sensible { &mut self.sensible } else { &mut self.doubtful } += 1;
    }

    /// A character by its number is one, whatever else the backslashes are.
    fn keep_unicode(&mut self, raw: &str, place: usize, at: &mut usize) {
        let digits = raw.get(place + 2..place + 6);
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match unit.and_then(char::from_u32) {
            Some(c) => {
                self.text.push(c);
                *at = place + 6;
            }
            // Half of a character that needs two.
            None if unit.is_some() => self.keep('u', false),
            None => self.text.push_str("\\u"),
        }
    }
}

/// Commands of LaTeX that begin as an escape does.
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

/// Whether a backslash begins a command of LaTeX.
fn is_command(raw: &str, place: usize) -> bool {
    let rest = raw.get(place + 1..).unwrap_or_default();
    let length = rest.bytes().take(24).take_while(u8::is_ascii_alphabetic).count();
    rest.get(..length).is_some_and(|word| COMMANDS.contains(&word))
}

/// Whether a backslash is in a path of Windows.
fn is_in_path(raw: &str, place: usize) -> bool {
    let rest = raw.get(place + 1..).unwrap_or_default();
    if place == 0 {
        let host = rest.strip_prefix('\\').unwrap_or_default();
        return host.starts_with(|c: char| c.is_ascii_alphanumeric());
    }
    let before = raw.get(..place).unwrap_or_default();
    let start =
        before.rfind(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '(' | '=' | ','));
    let word = before.get(start.map_or(0, |start| start + 1)..).unwrap_or_default();
    let drive = word.as_bytes();
    let is_drive =
        drive.first().is_some_and(u8::is_ascii_alphabetic) && drive.get(1) == Some(&b':');
    let is_name = rest.starts_with(|c: char| c.is_ascii_alphanumeric());
    is_name
        && (is_drive && (word.len() == 2 || drive.get(2) == Some(&b'\\'))
            || word.starts_with("\\\\"))
}
