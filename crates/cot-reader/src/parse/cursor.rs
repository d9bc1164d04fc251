//! The state of the lenient parser.

use std::borrow::Cow;

use cot_schema::internal::PathSegment;
use serde_json::Value;

use super::{
    fuel::Fuel,
    note::Notes,
    trace::trace::{Trace, Tracing},
};
use crate::{
    find::ends::ends_json,
    repair::{class::RepairClass, fix::Fix, repairs::Repairs},
};

/// Maximum nesting depth of values.
pub(super) const MAX_DEPTH: usize = 128;

/// The choice at ambiguous positions. A text is parsed with the first two policies if they differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Policy {
    /// Strings, words and lists end as early as possible.
    Early,
    /// Strings, words and lists end as late as possible.
    Late,
    /// No text is ambiguous: each quote that is not escaped ends a string.
    Exact,
}

/// The kind of an open bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bracket {
    Object,
    List,
    Tuple,
    /// A list in braces.
    Set,
}

impl Bracket {
    pub(super) const fn closer(self) -> u8 {
        match self {
            Self::Object | Self::Set => b'}',
            Self::List => b']',
            Self::Tuple => b')',
        }
    }
}

/// The error of a text that can't be parsed, with its position and path.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stop {
    pub(crate) at: usize,
    pub(crate) path: Vec<PathSegment>,
    pub(crate) reason: Reason,
}

impl Stop {
    /// Returns whether the error shows that the text was meant as JSON.
    pub(crate) const fn is_meant(&self) -> bool {
        !matches!(self.reason, Reason::Malformed(_))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reason {
    /// The text is not JSON and can't be repaired.
    Malformed(Cow<'static, str>),
    /// The text is ambiguous.
    Refused(Cow<'static, str>),
    /// The values are nested too deeply.
    Deep,
}

pub(super) type Parse<T> = Result<T, Box<Stop>>;

/// A lenient parser at a position in a text.
pub(super) struct Parser<'t, 'f> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    pub(super) policy: Policy,
    /// Whether the text is incomplete, because the reply is still being received.
    pub(super) is_incomplete: bool,
    pub(super) open: Vec<Bracket>,
    pub(super) path: Vec<PathSegment>,
    pub(super) repairs: Repairs,
    pub(super) cut: Option<Vec<PathSegment>>,
    /// Whether the other policy could lead to another result.
    pub(super) is_ambiguous: bool,
    /// Whether an unquoted key was found.
    pub(super) has_bare_keys: bool,
    /// The number of values that the end of the text left unfinished.
    pub(super) unfinished: usize,
    /// Whether the previous item had non-standard or missing quotes.
    pub(super) is_after_odd_item: bool,
    /// Whether the reply contains an unescaped backslash. Computed on demand.
    pub(super) bare_backslashes: Option<bool>,
    /// The places of what is read, if they are asked for.
    pub(super) trace: Option<Box<Trace>>,
    pub(super) fuel: &'f Fuel,
}

impl<'t> Parser<'t, '_> {
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }

    pub(super) fn slice(&self, from: usize, to: usize) -> &'t str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// Returns the byte at the cursor, or `None` at the end of the JSON: the end of the text, a fence or a
    /// tag.
    pub(super) fn peek(&self) -> Option<u8> {
        self.byte(self.at).filter(|byte| !self.ends_at(self.at, *byte))
    }

    /// Like [`peek`](Self::peek), at another position.
    pub(super) fn peek_at(&self, at: usize) -> Option<u8> {
        self.byte(at).filter(|byte| !self.ends_at(at, *byte))
    }

    fn ends_at(&self, at: usize, byte: u8) -> bool {
        matches!(byte, b'`' | b'~' | b'<') && ends_json(self.rest(at))
    }

    /// Returns the character at a position.
    pub(super) fn char_at(&self, at: usize) -> Option<char> {
        self.rest(at).chars().next()
    }

    /// Records a repair at the current path. For incomplete texts, only losses are recorded.
    pub(super) fn add_repair(&mut self, fix: impl Into<Fix>) {
        let fix = fix.into();
        self.trace_repair(&fix);
        if !self.is_incomplete || fix.kind().class() == RepairClass::Loss {
            self.repairs.add(&self.path, fix);
        }
    }

    /// Records the repairs of the string from a position to the cursor, at the current path.
    pub(super) fn add_repairs(&mut self, notes: Notes, start: usize) {
        self.trace_repairs(notes, start..self.at);
        if self.is_incomplete {
            return;
        }
        for fix in notes.fixes() {
            self.repairs.add(&self.path, fix);
        }
    }

    /// Records that the text ends within the value at the current path.
    pub(super) fn mark_cut(&mut self) {
        if self.cut.is_none() {
            self.cut = Some(self.path.clone());
        }
    }

    /// Marks the text as ambiguous and returns whether to choose the early alternative.
    pub(super) fn choose_early(&mut self) -> bool {
        self.is_ambiguous = true;
        self.policy == Policy::Early
    }

    pub(super) fn enter(&mut self, bracket: Bracket) -> Parse<()> {
        if self.open.len() >= MAX_DEPTH {
            return Err(self.stop(Reason::Deep));
        }
        self.open.push(bracket);
        self.at += 1;
        Ok(())
    }

    pub(super) fn malformed<T>(&self, why: impl Into<Cow<'static, str>>) -> Parse<T> {
        Err(self.stop(Reason::Malformed(why.into())))
    }

    pub(super) fn refused<T>(&self, why: impl Into<Cow<'static, str>>) -> Parse<T> {
        Err(self.stop(Reason::Refused(why.into())))
    }

    fn stop(&self, reason: Reason) -> Box<Stop> {
        Box::new(Stop { at: self.at, path: self.path.clone(), reason })
    }

    /// Consumes fuel for look-ahead. Fails when it is used up, so that parsing takes linear time.
    pub(super) fn burn(&self, bytes: usize) -> Parse<()> {
        if self.fuel.burn(bytes) { Ok(()) } else { self.malformed("the text is too far from JSON") }
    }

    /// Parses a nested value, with a segment appended to the current path. Returns the segment with the
    /// value.
    pub(super) fn inside(
        &mut self,
        step: PathSegment,
        read: impl FnOnce(&mut Self) -> Parse<Option<Value>>,
    ) -> Parse<(PathSegment, Option<Value>)> {
        self.path.push(step);
        let value = read(self)?;
        // The segment was pushed above, and all later ones were popped.
        let step = self.path.pop().unwrap_or(PathSegment::Index(0));
        Ok((step, value))
    }
}
