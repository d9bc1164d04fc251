//! Parses escapes in strings: those of JSON and of other languages.

use super::{
    backslash::{is_bare, is_kept},
    cursor::Parser,
    draft::Draft,
};
use crate::repair::catalogue::RepairKind;

impl Parser<'_, '_> {
    /// Parses the escape at a position and returns the position after it, or `None` if the text ends within
    /// it.
    pub(super) fn escape(&self, at: usize, draft: &mut Draft) -> Option<usize> {
        let kind = self.char_at(at + 1)?;
        let after = at + 1 + kind.len_utf8();
        match kind {
            'b' | 'f' | 'n' | 'r' | 't' => draft.has_escapes = true,
            '\\' => draft.has_pairs = true,
            _ => {}
        }
        let is_bare = is_bare(self.rest(at + 1));
        draft.has_bare |= is_bare;
        let plain = match kind {
            '"' | '\\' | '/' => kind,
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' | 'f' if is_bare => {
                draft.notes.add(RepairKind::PlainBackslash);
                draft.text.push('\\');
                kind
            }
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => return self.unicode(at, draft),
            _ => {
                self.odd_escape(at, kind, draft);
                return Some(self.after_odd_escape(at, kind, after));
            }
        };
        draft.text.push(plain);
        Some(after)
    }

    fn odd_escape(&self, at: usize, kind: char, draft: &mut Draft) {
        draft.notes.add(RepairKind::OddEscape);
        match kind {
            'x' if self.hex(at + 2, 2).is_some() => {
                draft.text.extend(self.hex(at + 2, 2).and_then(char::from_u32));
            }
            // A line continuation.
            '\n' | '\r' => {}
            // A backslash before a letter or a sign is a character, as in a pattern, a path or a formula.
            _ if is_kept(self.rest(at + 1)) => {
                draft.text.push('\\');
                draft.text.push(kind);
            }
            _ => draft.text.push(kind),
        }
    }

    fn after_odd_escape(&self, at: usize, kind: char, after: usize) -> usize {
        match kind {
            'x' if self.hex(at + 2, 2).is_some() => after + 2,
            '\r' if self.byte(after) == Some(b'\n') => after + 1,
            _ => after,
        }
    }

    fn unicode(&self, at: usize, draft: &mut Draft) -> Option<usize> {
        let digits = at + 2;
        let Some(unit) = self.hex(digits, 4) else {
            if self.rest(digits).bytes().take(4).filter(u8::is_ascii_hexdigit).count()
                == self.text.len() - digits
            {
                return None;
            }
            let is_half = self.byte(digits).is_some_and(|byte| byte.is_ascii_hexdigit());
            draft.notes.add(if is_half { RepairKind::HalfUnicode } else { RepairKind::OddEscape });
            draft.text.push_str("\\u");
            return Some(digits);
        };
        if let Some(c) = char::from_u32(unit) {
            draft.text.push(c);
            return Some(digits + 4);
        }
        let low = (unit < 0xdc00 && self.rest(digits + 4).starts_with("\\u"))
            .then(|| self.hex(digits + 6, 4))
            .flatten()
            .filter(|low| (0xdc00..0xe000).contains(low));
        if let Some(low) = low {
            let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            draft.text.extend(char::from_u32(code));
            return Some(digits + 10);
        }
        draft.notes.add(RepairKind::LoneSurrogate);
        draft.text.push('\u{fffd}');
        Some(digits + 4)
    }

    fn hex(&self, at: usize, digits: usize) -> Option<u32> {
        let text = self.text.get(at..at + digits)?;
        let is_hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hex.then(|| u32::from_str_radix(text, 16).ok()).flatten()
    }
}
