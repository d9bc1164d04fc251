//! Recognizes the quotes around strings.

use cot_schema::internal::truncate;

use super::{
    cursor::Parser,
    draft::{Draft, StringRole},
    verdict::Verdict,
};
use crate::repair::catalogue::RepairKind;

/// The opening quote of a string, which determines the closing one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quote {
    pub(super) family: Family,
    /// The number of repetitions: 1, 2 or 3.
    pub(super) times: usize,
    /// Whether the quotes are escaped by backslashes.
    pub(super) is_escaped: bool,
    /// Whether the quote is doubled before the string but not after it.
    pub(super) is_opened_twice: bool,
    /// The total length in bytes.
    pub(super) width: usize,
}

impl Quote {
    /// Returns whether the quote is repeated before the string.
    pub(super) const fn is_repeated(self) -> bool {
        self.times > 1 || self.is_opened_twice
    }
}

/// A family of quotes that can close each other's strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// `"`
    Double,
    /// `'`
    Single,
    /// `` ` `` and `´`
    Back,
    /// “, ” and „; also closed by `"`
    CurlyDouble,
    /// ‘, ’ and ‚; also closed by `'`
    CurlySingle,
}

impl Family {
    fn from_char(c: char) -> Option<Self> {
        Some(match c {
            '"' => Self::Double,
            '\'' => Self::Single,
            '`' | '´' => Self::Back,
            '“' | '”' | '„' | '‟' | '＂' => Self::CurlyDouble,
            '‘' | '’' | '‚' | '‛' => Self::CurlySingle,
            _ => return None,
        })
    }

    /// Returns whether a quote of another family closes a string that was opened by this one.
    fn takes(self, other: Self) -> bool {
        self == other
            || match self {
                Self::CurlyDouble => other == Self::Double,
                Self::CurlySingle | Self::Back => other == Self::Single,
                Self::Double | Self::Single => false,
            }
    }

    pub(super) const fn is_curly(self) -> bool {
        matches!(self, Self::CurlyDouble | Self::CurlySingle)
    }

    /// Returns the character of the quote if the opening and the closing one are the same.
    pub(super) const fn mark(self) -> Option<char> {
        match self {
            Self::Double => Some('"'),
            Self::Single => Some('\''),
            Self::Back | Self::CurlyDouble | Self::CurlySingle => None,
        }
    }

    /// Returns the repair for a string in such quotes.
    pub(super) const fn note(self) -> Option<RepairKind> {
        match self {
            Self::Double => None,
            Self::Single => Some(RepairKind::SingleQuotes),
            Self::Back => Some(RepairKind::Backticks),
            Self::CurlyDouble | Self::CurlySingle => Some(RepairKind::TypographicQuotes),
        }
    }
}

impl Parser<'_, '_> {
    /// Returns the family and length of the quote at a position.
    pub(super) fn quote_at(&self, at: usize) -> Option<(Family, usize)> {
        match self.byte(at)? {
            b'"' => Some((Family::Double, 1)),
            b'\'' => Some((Family::Single, 1)),
            b'`' => Some((Family::Back, 1)).filter(|_| self.peek_at(at).is_some()),
            0xc2 | 0xe2 | 0xef => {
                let c = self.char_at(at)?;
                Family::from_char(c).map(|family| (family, c.len_utf8()))
            }
            _ => None,
        }
    }

    /// Returns the length of the quote at a position if it can close the string.
    pub(super) fn closing_at(&self, at: usize, quote: Quote) -> Option<usize> {
        if quote.is_escaped && self.byte(at) != Some(b'\\') {
            return None;
        }
        let start = at + usize::from(quote.is_escaped);
        let (family, width) = self.quote_at(start)?;
        quote.family.takes(family).then_some(start - at + width)
    }

    /// Returns the length of a typographic quote that closes a string opened by a straight one: the text
    /// contains no counterpart, and the end of a string follows.
    pub(super) fn odd_close(
        &self,
        role: StringRole,
        at: usize,
        quote: Quote,
        draft: &Draft,
    ) -> Option<usize> {
        let closers = match quote.family {
            Family::Double => ['”', '“'],
            Family::Single => ['’', '‘'],
            _ => return None,
        };
        if !matches!(self.byte(at)?, 0xe2 | 0xef) || quote.is_repeated() || quote.is_escaped {
            return None;
        }
        let c = self.char_at(at).filter(|c| closers.contains(c))?;
        let before = self.slice(draft.start, at);
        self.fuel.burn(before.len());
        if is_open(before) {
            return None;
        }
        let next = self.next_token(at + c.len_utf8());
        let is_end = match role {
            StringRole::Key => self.colon_at(next).is_some(),
            StringRole::Value => {
                self.quote_at(next).is_none() && self.verdict(next, true, 0) == Verdict::End
            }
        };
        is_end.then_some(c.len_utf8())
    }

    /// Returns whether a straight quote is inside a string in typographic quotes.
    pub(super) fn is_in_curly(&self, role: StringRole, at: usize, quote: Quote) -> bool {
        let (openers, closer) = match quote.family {
            Family::CurlyDouble => (['“', '„'], '”'),
            Family::CurlySingle => (['‘', '‚'], '’'),
            _ => return false,
        };
        if role == StringRole::Key || !matches!(self.byte(at), Some(b'"' | b'\'')) {
            return false;
        }
        let rest = truncate(self.rest(at), 400);
        self.fuel.burn(rest.len());
        let line = rest.lines().next().unwrap_or_default();
        // Full-width quotes are the same on both sides.
        let is_closer = |c: char| c == closer || c == '＂';
        let next = line.chars().find(|c| is_closer(*c) || openers.contains(c));
        next.is_some_and(is_closer)
    }

    /// Returns the quote at the cursor that opens a string.
    pub(super) fn opening(&self) -> Option<Quote> {
        let is_escaped = self.byte(self.at) == Some(b'\\');
        let start = self.at + usize::from(is_escaped);
        let (family, width) = self.quote_at(start)?;
        let width = start - self.at + width;
        let single = Quote { family, times: 1, is_escaped, is_opened_twice: false, width };
        if is_escaped || !matches!(family, Family::Double | Family::Single) {
            return Some(single);
        }
        let count =
            self.rest(start).chars().take(5).take_while(|c| Family::from_char(*c) == Some(family));
        match count.count() {
            3 if self.is_written_thrice(start + 3) => Some(Quote { times: 3, width: 3, ..single }),
            2 if self.is_written_twice(start + 2, family) => {
                Some(Quote { times: 2, width: 2, ..single })
            }
            2 if self.is_opened_twice(start + 2, family) => {
                Some(Quote { is_opened_twice: true, width: 2, ..single })
            }
            4 if !self.is_written_thrice(self.next_token(start + 4)) => {
                Some(Quote { times: 2, width: 2, ..single })
            }
            3 => Some(Quote { is_opened_twice: true, width: 2, ..single }),
            _ => Some(single),
        }
    }

    /// Returns whether text rather than the end of a value follows three quotes.
    fn is_written_thrice(&self, inside: usize) -> bool {
        !matches!(self.byte(inside), None | Some(b',' | b':' | b'}' | b']' | b')'))
    }

    /// Returns whether two quotes open a string that a single one closes.
    fn is_opened_twice(&self, inside: usize, family: Family) -> bool {
        if !self.char_at(inside).is_some_and(|c| c.is_alphanumeric() || c == '_') {
            return false;
        }
        let quote = if family == Family::Double { '"' } else { '\'' };
        let end = self.rest(inside).find(['\n', quote]).unwrap_or(self.text.len() - inside);
        self.fuel.burn(end);
        let next = self.next_token(inside + end + 1);
        self.rest(inside + end).starts_with(quote)
            && !self.slice(inside, inside + end).ends_with('\\')
            && matches!(self.peek_at(next), Some(b',' | b':' | b'}' | b']'))
            && !is_quotation_closed_twice(self, self.next_token(next + 1), family)
    }

    /// Returns whether the string after two quotes is closed by two quotes.
    fn is_written_twice(&self, inside: usize, family: Family) -> bool {
        let after = self.byte(inside);
        if matches!(
            after,
            None | Some(b',' | b':' | b'}' | b']' | b')' | b' ' | b'\n' | b'\r' | b'\t')
        ) {
            return false;
        }
        let quote = if family == Family::Double { '"' } else { '\'' };
        let is_quote = |(at, _): &(usize, _)| !self.slice(inside, inside + at).ends_with('\\');
        let Some((next, _)) = self.rest(inside).match_indices(quote).find(is_quote) else {
            self.fuel.burn(self.text.len() - inside);
            return false;
        };
        self.fuel.burn(next);
        self.rest(inside + next + 1).starts_with(quote)
    }
}

/// Returns whether a text contains an unclosed typographic quote.
fn is_open(text: &str) -> bool {
    let (mut double, mut single) = (None, None);
    for c in text.chars() {
        match c {
            '„' | '‟' => double = Some(c),
            '“' => double = if double == Some('„') { None } else { Some(c) },
            '”' => double = None,
            '‚' | '‛' => single = Some(c),
            '‘' => single = if single == Some('‚') { None } else { Some(c) },
            '’' => single = None,
            _ => {}
        }
    }
    double.is_some() || single.is_some()
}

/// Returns whether a string is at a position that two quotes close: it is the last quotation of the text
/// that two quotes opened, as in `""yes", "no""`.
fn is_quotation_closed_twice(parser: &Parser<'_, '_>, at: usize, family: Family) -> bool {
    let is_quote = |at| parser.quote_at(at).is_some_and(|(other, _)| other == family);
    is_quote(at) && parser.quoted_end(at).is_some_and(|end| end > at + 2 && is_quote(end))
}
