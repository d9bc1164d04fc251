//! Handles missing and mismatched closing brackets.

use super::cursor::{Bracket, Parser};
use crate::repair::catalogue::RepairKind;

/// The interpretation of a closing bracket that does not match the innermost open bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closing {
    /// The bracket is excess and ignored.
    Stray,
    /// The bracket closes the innermost one, in place of the right closer.
    Mistaken,
    /// The bracket belongs to an outer one; the right closer is missing.
    Missing,
}

impl Parser<'_, '_> {
    /// Closes the innermost bracket, whose closer is at the cursor.
    pub(super) fn leave(&mut self) {
        self.at += 1;
        self.open.pop();
    }

    /// Closes the innermost bracket, whose closer is missing.
    pub(super) fn leave_unclosed(&mut self, bracket: Bracket) {
        self.open.pop();
        if self.byte(self.at).is_none() || self.peek().is_none() {
            self.unfinished += 1;
        }
        if !self.is_incomplete {
            self.add_repair(RepairKind::MissingCloser.with_subject(sign(bracket.closer())));
        }
    }

    /// Handles a mismatched closing bracket. Returns whether it closes the innermost bracket.
    pub(super) fn close_mismatched(&mut self, bracket: Bracket, closer: u8) -> bool {
        match self.closing(closer) {
            Closing::Stray => {
                self.add_repair(RepairKind::ExtraCloser.with_subject(sign(closer)));
                self.at += 1;
                false
            }
            Closing::Mistaken => {
                let kind = match closer {
                    b']' => RepairKind::BracketForCloser,
                    b'}' => RepairKind::BraceForCloser,
                    _ => RepairKind::ParenthesisForCloser,
                };
                self.add_repair(kind.with_subject(sign(bracket.closer())));
                self.leave();
                true
            }
            Closing::Missing => {
                self.leave_unclosed(bracket);
                true
            }
        }
    }

    fn closing(&mut self, closer: u8) -> Closing {
        let depth = self.open.len();
        let after = self.at + 1;
        let matching = self.open.iter().rposition(|bracket| bracket.closer() == closer);
        let is_missing = matching.is_some_and(|depth| self.can_continue(depth, after));
        let is_mistaken = self.can_continue(depth - 1, after);
        let is_stray = self.can_continue(depth, after);
        match (is_missing, is_mistaken, is_stray) {
            (true, true, _) => self.either(Closing::Missing, Closing::Mistaken),
            (true, false, true) => self.either(Closing::Missing, Closing::Stray),
            (true, false, false) => Closing::Missing,
            (false, true, true) if depth == 1 && self.is_end_of_text(after) => Closing::Mistaken,
            (false, true, true) => self.either(Closing::Mistaken, Closing::Stray),
            (false, true, false) => Closing::Mistaken,
            (false, false, _) if matching.is_some() && !is_stray => Closing::Missing,
            (false, false, _) => Closing::Stray,
        }
    }

    fn is_end_of_text(&self, at: usize) -> bool {
        self.peek_at(self.next_token(at)) != Some(b',')
    }

    fn either(&mut self, early: Closing, late: Closing) -> Closing {
        if self.choose_early() { early } else { late }
    }
}

/// Returns a closing bracket as text.
const fn sign(closer: u8) -> &'static str {
    match closer {
        b']' => "]",
        b'}' => "}",
        _ => ")",
    }
}
