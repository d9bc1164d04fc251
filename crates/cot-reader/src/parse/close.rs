//! Brackets that are missing, or closed by others than they were opened with.

use super::cursor::{Bracket, Parser};
use crate::repair::catalogue::RepairKind;

/// What a closer that does not fit means for the innermost bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closing {
    /// It is none; what is open goes on after it.
    Stray,
    /// It closes what is open, in place of the right one.
    Mistaken,
    /// It belongs to a bracket further out; the right one is missing.
    Missing,
}

impl Parser<'_, '_> {
    /// Leaves a bracket, whose closer is here.
    pub(super) fn leave(&mut self) {
        self.at += 1;
        self.open.pop();
    }

    /// Leaves a bracket whose closer is missing, since the text ends or another closer came.
    pub(super) fn leave_unclosed(&mut self, bracket: Bracket) {
        self.open.pop();
        if self.byte(self.at).is_none() || self.peek().is_none() {
            self.unfinished += 1;
        }
        if !self.is_coming {
            self.mend(RepairKind::MissingCloser.about(sign(bracket.closer())));
        }
    }

    /// Takes a closer that does not fit the innermost bracket, and says whether that is left now.
    pub(super) fn close_mismatched(&mut self, bracket: Bracket, closer: u8) -> bool {
        match self.closing(closer) {
            Closing::Stray => {
                self.mend(RepairKind::ExtraCloser.about(sign(closer)));
                self.at += 1;
                false
            }
            Closing::Mistaken => {
                let kind = match closer {
                    b']' => RepairKind::BracketForCloser,
                    b'}' => RepairKind::BraceForCloser,
                    _ => RepairKind::ParenthesisForCloser,
                };
                self.mend(kind.about(sign(bracket.closer())));
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
        let is_missing = matching.is_some_and(|depth| self.goes_on(depth, after));
        let is_mistaken = self.goes_on(depth - 1, after);
        let is_stray = self.goes_on(depth, after);
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
        self.peek_at(self.skipped(at)) != Some(b',')
    }

    fn either(&mut self, early: Closing, late: Closing) -> Closing {
        if self.doubt() { early } else { late }
    }
}

/// A closing bracket as text.
const fn sign(closer: u8) -> &'static str {
    match closer {
        b']' => "]",
        b'}' => "}",
        _ => ")",
    }
}
