//! Parses strings in any quotes and determines where they end.

use super::{
    cursor::{Parse, Parser, Policy},
    draft::{Draft, StringRole},
    note::Notes,
    quote::{Family, Quote},
    suspect,
    verdict::Verdict,
};
use crate::repair::catalogue::RepairKind;

/// A parsed string.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) string: String,
    pub(super) notes: Notes,
    /// Whether the text ended within the string.
    pub(super) is_cut: bool,
}

/// The issue of three quotes alone.
const THREE_QUOTES: &str =
    "it is not clear whether this text is a quote or empty; escape the quotes in it";

/// The decision about a quote within a string.
enum QuoteDecision {
    Close,
    /// The quote and the one after it close the string.
    CloseBoth,
    /// The string ended earlier, without a quote.
    CloseAt(usize),
    Content,
    /// The quote and the one after it are a single quote in the text.
    ContentTwice,
}

impl Parser<'_, '_> {
    /// Parses the string at the cursor.
    pub(super) fn text(&mut self, role: StringRole, quote: Quote) -> Parse<Text> {
        let mut draft = Draft::new(self.at + quote.width);
        note_quotes(&mut draft, quote);
        let mut at = draft.start;
        loop {
            at = self.plain_end(at);
            let Some(byte) = self.byte(at) else { return self.unclosed(role, quote, draft) };
            if self.policy == Policy::Exact {
                if byte == b'"' {
                    return self.close(draft, quote, at, at + 1);
                }
                let after = self.special(byte, at, &mut draft);
                let Some(after) = after else { return self.unclosed(role, quote, draft) };
                at = after;
                continue;
            }
            if let Some(width) = self.odd_close(role, at, quote, &draft) {
                draft.notes.add(RepairKind::TypographicQuotes);
                return self.close(draft, quote, at, at + width);
            }
            if let Some(width) = self.closing_at(at, quote).filter(|_| {
                (byte != b'\\' || quote.is_escaped) && !self.is_in_curly(role, at, quote)
            }) {
                match self.decide(role, quote, at, width, &mut draft)? {
                    QuoteDecision::Close => {
                        return self.close(draft, quote, at, at + width * quote.times);
                    }
                    QuoteDecision::CloseBoth => {
                        draft.notes.add(RepairKind::RepeatedQuotes);
                        return self.close(draft, quote, at, at + 2 * width);
                    }
                    QuoteDecision::CloseAt(end) => return self.close_at(role, draft, quote, end),
                    QuoteDecision::Content if draft.fence.is_some() => {
                        // The fence is not part of the string but ends the JSON.
                        draft.inner = 0;
                        return self.unclosed(role, quote, draft);
                    }
                    QuoteDecision::Content if quote.is_escaped => {
                        self.flush(&mut draft, at);
                        draft.run = at + 1;
                        at += width;
                    }
                    QuoteDecision::Content => at += width,
                    QuoteDecision::ContentTwice => {
                        self.flush(&mut draft, at + width);
                        // The second quote may differ from the first.
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

    /// Parses an escape or a control character and returns the position after it, or `None` if the text ends
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

    /// Closes a string without a closing quote at the position where it must have ended.
    fn close_at(
        &mut self,
        role: StringRole,
        mut draft: Draft,
        quote: Quote,
        end: usize,
    ) -> Parse<Text> {
        let text = self.slice(draft.start, end);
        if role == StringRole::Value && !self.is_incomplete && self.is_odd_end(text) {
            self.at = end;
            return self
                .refused("it is not clear where this text ends; its closing quote is missing");
        }
        draft.notes.add(RepairKind::NoClosingQuote);
        self.close(draft, quote, end, end)
    }

    /// Returns the position of the next character that is not copied verbatim.
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
        if quote.is_opened_twice && end == draft.start && !self.is_incomplete {
            return self.refused(THREE_QUOTES);
        }
        self.check_inner(&draft, quote, end)?;
        if draft.has_control
            && !self.is_incomplete
            && suspect::ends_after_comma(self.slice(draft.start, end))
        {
            self.at = end;
            return self.refused("it is not clear where this text ends; put it in quotes");
        }
        if quote.family.is_curly()
            && draft.inner > 0
            && !self.is_incomplete
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

    /// Rejects a string whose inner quotes show that it extends beyond its end.
    fn check_inner(&mut self, draft: &Draft, quote: Quote, end: usize) -> Parse<()> {
        let Some(mark) = quote.family.mark().filter(|_| draft.inner > 0 && quote.times == 1) else {
            return Ok(());
        };
        self.fuel.burn(end - draft.start);
        if self.is_incomplete || !suspect::swallows(self.slice(draft.start, end), mark) {
            return Ok(());
        }
        self.at = end;
        self.refused("it is not clear where this text ends; escape the quotes in it")
    }

    fn decide(
        &mut self,
        role: StringRole,
        quote: Quote,
        at: usize,
        width: usize,
        draft: &mut Draft,
    ) -> Parse<QuoteDecision> {
        self.burn(4)?;
        if quote.times > 1 {
            let run = self.slice(at, at + quote.times);
            let is_full = run.bytes().all(|byte| Some(byte) == self.byte(at));
            return Ok(if is_full && run.len() == quote.times {
                QuoteDecision::Close
            } else {
                QuoteDecision::Content
            });
        }
        Ok(match role {
            StringRole::Key => self.decide_in_key(at, width, draft),
            StringRole::Value => self.decide_in_value(quote, at, width, draft),
        })
    }

    fn decide_in_key(&mut self, at: usize, width: usize, draft: &mut Draft) -> QuoteDecision {
        let next = self.next_token(at + width);
        let Some(byte) = self.peek_at(next) else { return QuoteDecision::Close };
        if matches!(byte, b':' | b'=') || self.wide_at(next) == Some(b':') {
            return QuoteDecision::Close;
        }
        let is_twice = self.slice(at, at + width) == self.slice(at + width, at + 2 * width);
        if is_twice && self.peek_at(self.next_token(at + 2 * width)) == Some(b':') {
            return QuoteDecision::CloseBoth;
        }
        let key = self.slice(draft.start, at);
        self.fuel.burn(key.len());
        if let Some(colon) = key.find(':') {
            // `"key: "value"`: the key ends before the colon.
            return QuoteDecision::CloseAt(draft.start + colon);
        }
        let is_value = self.quote_at(next).is_some()
            || matches!(byte, b',' | b'}' | b']' | b')' | b'{' | b'[' | b'-' | b'0'..=b'9')
            || self.literal_at(next);
        if is_value {
            return QuoteDecision::Close;
        }
        draft.inner += 1;
        QuoteDecision::Content
    }

    fn decide_in_value(
        &mut self,
        quote: Quote,
        at: usize,
        width: usize,
        draft: &mut Draft,
    ) -> QuoteDecision {
        let after = at + width;
        let next = self.next_token(after);
        if quote.family == Family::Back && self.is_in_fence(at) {
            return self.content(at, next, draft);
        }
        let verdict = self.verdict(next, next > after, draft.inner);
        // A quote that ends the string as it should needs no other reading.
        if next == after
            && verdict != Verdict::End
            && let Some(end) = self.missing_quote_end(at, draft)
        {
            if draft.embedded == 0 {
                if self.choose_early() {
                    return QuoteDecision::CloseAt(end);
                }
                draft.doubts += 4;
            }
            return self.content(at, next, draft);
        }
        if next == after && draft.inner.is_multiple_of(2) && self.is_closed_twice(at, width, draft)
        {
            return QuoteDecision::CloseBoth;
        }
        if next == after && self.is_apostrophe_at_end(at, width, draft) {
            return self.content(at, next, draft);
        }
        let is_last = verdict == Verdict::End && self.ends_text(next);
        let close = match verdict {
            Verdict::End if draft.embedded == 0 || is_last => true,
            Verdict::Inner => false,
            Verdict::Twice if quote.family == Family::Back => false,
            Verdict::Twice => {
                draft.notes.add(RepairKind::DoubledInside);
                return QuoteDecision::ContentTwice;
            }
            Verdict::End => {
                let close = self.choose_early();
                draft.doubts += if close { 4 } else { 0 };
                close
            }
            Verdict::Unsure => {
                let close = self.choose_early();
                draft.doubts += if close { 0 } else { 2 };
                close
            }
        };
        if close { QuoteDecision::Close } else { self.content(at, next, draft) }
    }

    /// Returns whether a doubled quote at a position ends the string.
    fn is_closed_twice(&self, at: usize, width: usize, draft: &Draft) -> bool {
        let (quote, second) = (self.slice(at, at + width), at + width);
        let next = self.next_token(second + width);
        at > draft.start
            && self.slice(second, second + width) == quote
            && !self.byte(at - 1).is_some_and(|byte| byte.is_ascii_digit())
            && matches!(self.peek_at(next), Some(b',' | b'}' | b']'))
            && self.verdict(next, false, 0) == Verdict::End
    }

    /// Returns whether a backtick is part of a fence.
    fn is_in_fence(&self, at: usize) -> bool {
        let start = at.saturating_sub(2);
        self.rest(start).get(..5).is_some_and(|around| around.contains("```"))
            || self.rest(at).starts_with("```")
    }

    /// Returns whether a single quote is an apostrophe at the end of the string, and the next one closes it:
    /// the string contains another unpaired single quote.
    fn is_apostrophe_at_end(&self, at: usize, width: usize, draft: &Draft) -> bool {
        let second = at + width;
        draft.inner % 2 == 1
            && self.byte(at) == Some(b'\'')
            && self.byte(second) == Some(b'\'')
            && matches!(self.peek_at(self.next_token(second + 1)), Some(b',' | b'}' | b']'))
    }

    /// Counts a quote as a character of the string.
    fn content(&self, at: usize, next: usize, draft: &mut Draft) -> QuoteDecision {
        draft.inner += 1;
        let before = self.slice(draft.start, at).trim_end_matches([' ', '\n', '\r', '\t']);
        if before.ends_with(['{', '[']) {
            draft.embedded += 1;
        } else if matches!(self.byte(next), Some(b'}' | b']')) {
            draft.embedded = draft.embedded.saturating_sub(1);
        }
        QuoteDecision::Content
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
