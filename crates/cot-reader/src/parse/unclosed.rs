//! Handles strings without a closing quote at the end of the text.

use super::{
    cursor::{Bracket, MAX_DEPTH, Parse, Parser},
    draft::{Draft, StringRole},
    quote::Quote,
    suspect,
    text::{Text, note_inner},
};
use crate::repair::catalogue::RepairKind;

impl Parser<'_, '_> {
    /// Finishes a string whose closing quote is missing: the text is truncated, or the quote was forgotten.
    pub(super) fn unclosed(
        &mut self,
        role: StringRole,
        quote: Quote,
        mut draft: Draft,
    ) -> Parse<Text> {
        let end = self.text.len();
        if role == StringRole::Key
            && let Some(colon) = self.colon_of_cut_key(&draft)
            && self.choose_early()
        {
            draft.notes.add(RepairKind::NoClosingQuote);
            self.at = draft.start + colon;
            let string = self.slice(draft.start, self.at).to_owned();
            return Ok(Text { string, notes: draft.notes, is_cut: false });
        }
        self.flush(&mut draft, end);
        let mut end = end;
        if let Some((copied, fence)) = draft.fence.filter(|_| !self.is_incomplete) {
            draft.text.truncate(copied);
            end = fence;
        }
        note_inner(&mut draft);
        self.at = end;
        let (closers, fence) =
            if self.is_incomplete { (0, 0) } else { self.trailing_closers(draft.start, end) };
        if role == StringRole::Value && !self.is_incomplete {
            self.check_unclosed(&draft, quote, end - closers - fence, closers > 0);
        }
        let is_escaped = closers > 0 && draft.run > end - closers - fence;
        if is_escaped {
            self.add_repair(RepairKind::UnclearEnd);
        }
        if closers > 0 && !is_escaped && self.choose_early() {
            let length = draft.text.len().saturating_sub(closers + fence);
            draft.text.truncate(draft.text.floor_char_boundary(length));
            self.at = end - closers - fence;
            draft.notes.add(RepairKind::NoClosingQuote);
            return Ok(Text { string: draft.text, notes: draft.notes, is_cut: false });
        }
        draft.notes.add(RepairKind::BreaksOff);
        Ok(Text { string: draft.text, notes: draft.notes, is_cut: true })
    }

    /// Returns the length of the closing brackets before `end` that match the open ones, and of a fence
    /// after them.
    fn trailing_closers(&self, start: usize, end: usize) -> (usize, usize) {
        let text = self.slice(start, end);
        let content = text.trim_end();
        let content = content.strip_suffix("```").unwrap_or(text);
        let fence = text.len() - content.len();
        match self.closers_before(start, end - fence) {
            0 => (self.closers_before(start, end), 0),
            closers => (closers, fence),
        }
    }

    /// Records a loss if the end of an unclosed string is ambiguous.
    fn check_unclosed(&mut self, draft: &Draft, quote: Quote, end: usize, is_closed: bool) {
        let text = self.slice(draft.start, end);
        self.fuel.burn(text.len());
        let mark = quote.family.mark().filter(|_| draft.inner > 0);
        let is_swallowing = mark.is_some_and(|mark| match is_closed {
            true => suspect::swallows(text, mark),
            false => suspect::swallows_cut(text, mark),
        });
        let is_odd_curly = quote.family.is_curly() && draft.inner > 0;
        if is_swallowing
            || is_odd_curly
            || suspect::is_odd_text(text)
            || is_closed && self.is_odd_end(text)
        {
            self.add_repair(RepairKind::UnclearEnd);
        }
    }

    /// Returns whether a text is an implausible string if its closing quote was forgotten.
    pub(super) fn is_odd_end(&self, text: &str) -> bool {
        let is_list = self.open.last() == Some(&Bracket::List);
        is_list && text.contains(',') || suspect::has_odd_end(text)
    }

    /// Returns the offset of the colon after a key without a closing quote, unless the text is truncated.
    fn colon_of_cut_key(&self, draft: &Draft) -> Option<usize> {
        let end = self.text.len();
        if self.is_incomplete || self.closers_before(draft.start, end) == 0 {
            return None;
        }
        self.slice(draft.start, end).find(':').filter(|colon| *colon > 0)
    }

    /// Returns the length of the closing brackets before `end` that match the open ones, including blanks.
    fn closers_before(&self, start: usize, end: usize) -> usize {
        let text = self.slice(start, end);
        let is_closer = |c: char| matches!(c, '}' | ']' | ')' | ' ' | '\n' | '\r' | '\t');
        let content = text.trim_end_matches(is_closer);
        let mut tail = text.get(content.len()..).unwrap_or_default();
        loop {
            if tail.trim_ascii().is_empty() {
                return 0;
            }
            let closers = tail.bytes().filter(|byte| !byte.is_ascii_whitespace());
            let open = self.open.iter().rev().map(|bracket| bracket.closer());
            if closers.clone().count() <= self.open.len() && closers.zip(open).all(|(a, b)| a == b)
            {
                return tail.len();
            }
            tail = tail.trim_ascii_start().get(1..).unwrap_or_default();
            if tail.len() > 4 * MAX_DEPTH {
                return 0;
            }
        }
    }
}
