//! What was mended in a string, before its path is known.

use crate::repair::RepairClass::{self, Loss, Syntax};

/// One thing that was mended in a string or a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Note {
    SingleQuotes,
    Backticks,
    TypographicQuotes,
    EscapedQuotes,
    RepeatedQuotes,
    DoubledInside,
    Control,
    OddEscape,
    HalfUnicode,
    LoneSurrogate,
    HalfEscape,
    NoClosingQuote,
    NoOpeningQuote,
    NoQuotes,
    BreaksOff,
    InnerQuotes,
}

/// What is said of a string with quotes inside.
pub(super) const INNER_QUOTES: &str = "quotes inside a string that are not escaped";

/// Each note with its class, what it costs and what it says, in the order of their declaration.
const TOLD: &[(Note, RepairClass, u32, &str)] = &[
    (Note::SingleQuotes, Syntax, 1, "single quotes"),
    (Note::Backticks, Syntax, 1, "backticks for quotes"),
    (Note::TypographicQuotes, Syntax, 1, "typographic quotes"),
    (Note::EscapedQuotes, Syntax, 3, "escaped quotes"),
    (Note::RepeatedQuotes, Syntax, 3, "quotes written several times"),
    (Note::DoubledInside, Syntax, 2, "doubled quotes inside a string"),
    (Note::Control, Syntax, 1, "a line break or control character that is not escaped"),
    (Note::OddEscape, Syntax, 1, "an escape that JSON does not have"),
    (Note::HalfUnicode, Loss, 3, "an escape of a character that is not whole"),
    (Note::LoneSurrogate, Loss, 5, "half a character (a lone surrogate)"),
    (Note::HalfEscape, Loss, 2, "half an escape at the end"),
    (Note::NoClosingQuote, Syntax, 3, "a missing closing quote"),
    (Note::NoOpeningQuote, Syntax, 3, "a missing opening quote"),
    (Note::NoQuotes, Syntax, 2, "a key without quotes"),
    (Note::BreaksOff, Syntax, 4, "a string that breaks off"),
    // The cost depends on how many there are.
    (Note::InnerQuotes, Syntax, 0, INNER_QUOTES),
];

/// What was mended in one string, each thing once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Notes {
    known: u32,
    inner: u32,
}

impl Notes {
    pub(super) const fn of(note: Note) -> Self {
        Self { known: 1 << note as u32, inner: 0 }
    }

    pub(super) const fn add(&mut self, note: Note) {
        self.known |= 1 << note as u32;
    }

    pub(super) const fn has(self, note: Note) -> bool {
        self.known & (1 << note as u32) != 0
    }

    /// Adds that quotes are inside, at a cost.
    pub(super) const fn add_inner(&mut self, cost: u32) {
        self.add(Note::InnerQuotes);
        self.inner = cost;
    }

    pub(super) fn iter(self) -> impl Iterator<Item = (RepairClass, u32, &'static str)> {
        let known = TOLD.iter().filter(move |told| self.known & (1 << told.0 as u32) != 0);
        known.map(move |(note, class, cost, what)| {
            let more = if *note == Note::InnerQuotes { self.inner } else { 0 };
            (*class, cost + more, *what)
        })
    }
}
