//! Strings in any quotes, and where they end.

use super::{
    cursor::{Parse, Parser},
    draft::{Draft, Role},
    note::Notes,
    quote::{Family, Quote},
    suspect,
    verdict::Verdict,
};
use crate::repair::catalogue::RepairKind;

/// A string that was read.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) string: String,
    pub(super) notes: Notes,
    /// Whether the text ended within the string.
    pub(super) is_cut: bool,
}

/// What a quote inside a string is.
enum Judged {
    Close,
    /// It closes the string, and so does the one right after it.
    CloseBoth,
    /// The string ended before, without a quote.
    CloseAt(usize),
    Content,
    /// Two quotes stand for one.
    ContentTwice,
}

impl Parser<'_, '_> {
    /// Reads the string that starts here.
    pub(super) fn text(&mut self, role: Role, quote: Quote) -> Parse<Text> {
        let mut draft = Draft::new(self.at + quote.width);
        note_quotes(&mut draft, quote);
        let mut at = draft.start;
        loop {
            at = self.plain_end(at);
            let Some(byte) = self.byte(at) else { return self.unclosed(role, quote, draft) };
            if let Some(width) = self.odd_close(role, at, quote, &draft) {
                draft.notes.add(RepairKind::TypographicQuotes);
                return self.close(draft, quote, at, at + width);
            }
            if let Some(width) = self.closing_at(at, quote).filter(|_| {
                (byte != b'\\' || quote.is_escaped) && !self.is_in_curly(role, at, quote)
            }) {
                match self.judge(role, quote, at, width, &mut draft)? {
                    Judged::Close => return self.close(draft, quote, at, at + width * quote.times),
                    Judged::CloseBoth => {
                        draft.notes.add(RepairKind::RepeatedQuotes);
                        return self.close(draft, quote, at, at + 2 * width);
                    }
                    Judged::CloseAt(end) => return self.close_at(role, draft, quote, end),
                    Judged::Content if draft.fence.is_some() => {
                        // The fence was no part of the string, but ended the text.
                        draft.inner = 0;
                        return self.unclosed(role, quote, draft);
                    }
                    Judged::Content if quote.is_escaped => {
                        self.flush(&mut draft, at);
                        draft.run = at + 1;
                        at += width;
                    }
                    Judged::Content => at += width,
                    Judged::ContentTwice => {
                        self.flush(&mut draft, at + width);
                        // The second may be another quote than the first.
                        let second = self.quote_at(at + width).map_or(0, |(_, width)| width);
                        draft.run = at + width + second;
                        at = draft.run;
                    }
                }
                continue;
            }
            match self.special(byte, at, &mut draft) {
                Some(after) => at = after,
                None => return self.unclosed(role, quote, draft),
            }
        }
    }

    /// Takes an escape or a control character, and gives the place after it; nothing if the text ends
    /// within it.
    fn special(&self, byte: u8, at: usize, draft: &mut Draft) -> Option<usize> {
        match byte {
            b'\\' => {
                self.flush(draft, at);
                let after = self.escape(at, draft);
                if after.is_none() {
                    draft.notes.add(RepairKind::HalfEscape);
                }
                draft.run = after.unwrap_or(self.text.len());
                after
            }
            0..0x20 => {
                self.control(byte, at, draft);
                Some(at + 1)
            }
            _ => Some(at + self.char_at(at).map_or(1, char::len_utf8)),
        }
    }

    /// Closes a string whose closing quote is missing, where it must have ended.
    fn close_at(&mut self, role: Role, mut draft: Draft, quote: Quote, end: usize) -> Parse<Text> {
        let text = self.slice(draft.start, end);
        if role == Role::Value && !self.is_coming && self.is_odd_end(text) {
            self.at = end;
            return self
                .refused("it is not clear where this text ends; its closing quote is missing");
        }
        draft.notes.add(RepairKind::NoClosingQuote);
        self.close(draft, quote, end, end)
    }

    /// Where something stands that is not just copied.
    fn plain_end(&self, from: usize) -> usize {
        let bytes = self.text.as_bytes().get(from..).unwrap_or_default();
        let special =
            |byte: &u8| matches!(byte, 0..0x20 | b'"' | b'\'' | b'`' | b'\\' | 0xc2 | 0xe2 | 0xef);
        bytes.iter().position(special).map_or(self.text.len(), |length| from + length)
    }

    pub(super) fn flush(&self, draft: &mut Draft, to: usize) {
        draft.text.push_str(self.slice(draft.run, to));
    }

    fn control(&self, byte: u8, at: usize, draft: &mut Draft) {
        if !draft.has_control {
            draft.has_control = true;
            draft.notes.add(RepairKind::ControlCharacter);
        }
        if byte == b'\n' && draft.fence.is_none() {
            let next =
                at + 1 + self.rest(at + 1).bytes().take(16).take_while(|b| *b == b' ').count();
            if self.byte(next).is_some() && self.peek_at(next).is_none() {
                self.flush(draft, at);
                draft.run = at;
                draft.fence = Some((draft.text.len(), at));
            }
        }
    }

    fn close(&mut self, mut draft: Draft, quote: Quote, end: usize, after: usize) -> Parse<Text> {
        let end = end.max(draft.run);
        self.check_inner(&draft, quote, end)?;
        if draft.has_control
            && !self.is_coming
            && suspect::ends_after_comma(self.slice(draft.start, end))
        {
            self.at = end;
            return self.refused("it is not clear where this text ends; put it in quotes");
        }
        if quote.family.is_curly()
            && draft.inner > 0
            && !self.is_coming
            && self.byte(end) != Some(0xe2)
        {
            self.at = end;
            return self
                .refused("it is not clear where this text begins; put it in straight quotes");
        }
        self.flush(&mut draft, end);
        self.check_backslashes(&mut draft, end)?;
        self.at = after;
        note_inner(&mut draft);
        Ok(Text { string: draft.text, notes: draft.notes, is_cut: false })
    }

    /// Refuses a string that took in what comes after it.
    fn check_inner(&mut self, draft: &Draft, quote: Quote, end: usize) -> Parse<()> {
        let Some(mark) = quote.family.mark().filter(|_| draft.inner > 0 && quote.times == 1) else {
            return Ok(());
        };
        self.fuel.burn(end - draft.start);
        if self.is_coming || !suspect::swallows(self.slice(draft.start, end), mark) {
            return Ok(());
        }
        self.at = end;
        self.refused("it is not clear where this text ends; escape the quotes in it")
    }

    fn judge(
        &mut self,
        role: Role,
        quote: Quote,
        at: usize,
        width: usize,
        draft: &mut Draft,
    ) -> Parse<Judged> {
        self.burn(4)?;
        if quote.times > 1 {
            let run = self.slice(at, at + quote.times);
            let is_full = run.bytes().all(|byte| Some(byte) == self.byte(at));
            return Ok(if is_full && run.len() == quote.times {
                Judged::Close
            } else {
                Judged::Content
            });
        }
        Ok(match role {
            Role::Key => self.judge_key(at, width, draft),
            Role::Value => self.judge_value(quote, at, width, draft),
        })
    }

    fn judge_key(&mut self, at: usize, width: usize, draft: &mut Draft) -> Judged {
        let next = self.skipped(at + width);
        let Some(byte) = self.peek_at(next) else { return Judged::Close };
        if matches!(byte, b':' | b'=') || self.wide_at(next) == Some(b':') {
            return Judged::Close;
        }
        let is_twice = self.slice(at, at + width) == self.slice(at + width, at + 2 * width);
        if is_twice && self.peek_at(self.skipped(at + 2 * width)) == Some(b':') {
            return Judged::CloseBoth;
        }
        let key = self.slice(draft.start, at);
        self.fuel.burn(key.len());
        if let Some(colon) = key.find(':') {
            // `"key: "value"`: the key ended before the colon.
            return Judged::CloseAt(draft.start + colon);
        }
        let is_value = self.quote_at(next).is_some()
            || matches!(byte, b',' | b'}' | b']' | b')' | b'{' | b'[' | b'-' | b'0'..=b'9')
            || self.literal_at(next);
        if is_value {
            return Judged::Close;
        }
        draft.inner += 1;
        Judged::Content
    }

    fn judge_value(&mut self, quote: Quote, at: usize, width: usize, draft: &mut Draft) -> Judged {
        let after = at + width;
        let next = self.skipped(after);
        if quote.family == Family::Back && self.is_in_fence(at) {
            return self.content(at, next, draft);
        }
        if next == after
            && let Some(end) = self.missed_end(at, draft)
        {
            if draft.embedded == 0 {
                if self.doubt() {
                    return Judged::CloseAt(end);
                }
                draft.doubts += 4;
            }
            return self.content(at, next, draft);
        }
        if next == after && draft.inner.is_multiple_of(2) && self.is_closed_twice(at, width, draft)
        {
            return Judged::CloseBoth;
        }
        if next == after && self.is_apostrophe_at_end(at, width, draft) {
            return self.content(at, next, draft);
        }
        let verdict = self.verdict(next, next > after, draft.inner);
        let is_last = verdict == Verdict::End && self.ends_text(next);
        let close = match verdict {
            Verdict::End if draft.embedded == 0 || is_last => true,
            Verdict::Inner => false,
            Verdict::Twice if quote.family == Family::Back => false,
            Verdict::Twice => {
                draft.notes.add(RepairKind::DoubledInside);
                return Judged::ContentTwice;
            }
            Verdict::End => {
                let close = self.doubt();
                draft.doubts += if close { 4 } else { 0 };
                close
            }
            Verdict::Unsure => {
                let close = self.doubt();
                draft.doubts += if close { 0 } else { 2 };
                close
            }
        };
        if close { Judged::Close } else { self.content(at, next, draft) }
    }

    /// Whether the quote at a place is written twice, and ends the string.
    fn is_closed_twice(&self, at: usize, width: usize, draft: &Draft) -> bool {
        let (quote, second) = (self.slice(at, at + width), at + width);
        let next = self.skipped(second + width);
        at > draft.start
            && self.slice(second, second + width) == quote
            && !self.byte(at - 1).is_some_and(|byte| byte.is_ascii_digit())
            && matches!(self.peek_at(next), Some(b',' | b'}' | b']'))
            && self.verdict(next, false, 0) == Verdict::End
    }

    /// Whether a backtick is one of several in a row.
    fn is_in_fence(&self, at: usize) -> bool {
        let start = at.saturating_sub(2);
        self.rest(start).get(..5).is_some_and(|around| around.contains("```"))
            || self.rest(at).starts_with("```")
    }

    /// Whether a single quote at a place is the last of the string, and the next one closes it: another
    /// one inside has no counterpart yet, or is an apostrophe too.
    fn is_apostrophe_at_end(&self, at: usize, width: usize, draft: &Draft) -> bool {
        let second = at + width;
        draft.inner % 2 == 1
            && self.byte(at) == Some(b'\'')
            && self.byte(second) == Some(b'\'')
            && matches!(self.peek_at(self.skipped(second + 1)), Some(b',' | b'}' | b']'))
    }

    /// Takes a quote as a part of the string.
    fn content(&self, at: usize, next: usize, draft: &mut Draft) -> Judged {
        draft.inner += 1;
        let before = self.slice(draft.start, at).trim_end_matches([' ', '\n', '\r', '\t']);
        if before.ends_with(['{', '[']) {
            draft.embedded += 1;
        } else if matches!(self.byte(next), Some(b'}' | b']')) {
            draft.embedded = draft.embedded.saturating_sub(1);
        }
        Judged::Content
    }
}

fn note_quotes(draft: &mut Draft, quote: Quote) {
    if let Some(note) = quote.family.note() {
        draft.notes.add(note);
    }
    if quote.is_escaped {
        draft.notes.add(RepairKind::EscapedQuotes);
    }
    if quote.is_repeated() {
        draft.notes.add(RepairKind::RepeatedQuotes);
    }
}

pub(super) const fn note_inner(draft: &mut Draft) {
    if draft.inner > 0 {
        let inner = if draft.inner < 8 { draft.inner } else { 8 };
        let doubts = if draft.doubts < 12 { draft.doubts } else { 12 };
        draft.notes.add_inner(1 + inner + doubts);
    }
}
