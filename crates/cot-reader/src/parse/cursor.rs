//! Where a parser is in a text, on which path, and what it has mended so far.

use std::borrow::Cow;

use cot_schema::internal::Step;
use serde_json::Value;

use super::{fuel::Fuel, note::Notes};
use crate::{
    find::tags::ends_json,
    repair::{class::RepairClass, fix::Fix, repairs::Repairs},
};

/// How many values may be inside one another.
pub(super) const MAX_DEPTH: usize = 128;

/// What is taken for meant where a text can be read in two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Policy {
    /// A string, word or list ends as soon as it may.
    Early,
    /// It goes on for as long as it may.
    Late,
}

/// A bracket that is open.
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

/// Why a text could not be read, and where that showed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stop {
    pub(crate) at: usize,
    pub(crate) path: Vec<Step>,
    pub(crate) reason: Reason,
}

impl Stop {
    /// Whether it shows that the text was meant as JSON.
    pub(crate) const fn is_meant(&self) -> bool {
        !matches!(self.reason, Reason::Malformed(_))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reason {
    /// It is no JSON, and can't be mended.
    Malformed(Cow<'static, str>),
    /// It may be JSON, but is refused.
    Refused(Cow<'static, str>),
    /// The values are too deep inside one another.
    Deep,
}

pub(super) type Parse<T> = Result<T, Box<Stop>>;

/// A lenient parser, somewhere in a text.
pub(super) struct Parser<'t, 'f> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    pub(super) policy: Policy,
    /// Whether more of the text is to come.
    pub(super) is_coming: bool,
    pub(super) open: Vec<Bracket>,
    pub(super) path: Vec<Step>,
    pub(super) repairs: Repairs,
    pub(super) cut: Option<Vec<Step>>,
    /// Whether the other policy would have read something else.
    pub(super) is_unsure: bool,
    /// Whether a key without quotes was met.
    pub(super) has_bare_keys: bool,
    /// How many values the end of the text left unfinished.
    pub(super) unfinished: usize,
    /// Whether the item before the one that is read had other quotes than JSON wants, or too few.
    pub(super) is_after_odd_item: bool,
    /// Whether the reply has a backslash that starts no escape, once that was asked.
    pub(super) bare_backslashes: Option<bool>,
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

    /// What is next; nothing at the end of the text, and where a fence or a tag ends the JSON.
    pub(super) fn peek(&self) -> Option<u8> {
        self.byte(self.at).filter(|byte| !self.ends_at(self.at, *byte))
    }

    /// The same at another place.
    pub(super) fn peek_at(&self, at: usize) -> Option<u8> {
        self.byte(at).filter(|byte| !self.ends_at(at, *byte))
    }

    fn ends_at(&self, at: usize, byte: u8) -> bool {
        matches!(byte, b'`' | b'~' | b'<') && ends_json(self.rest(at))
    }

    /// The character at a place.
    pub(super) fn char_at(&self, at: usize) -> Option<char> {
        self.rest(at).chars().next()
    }

    /// Adds a repair here. Of a text of which more is to come, only losses count.
    pub(super) fn mend(&mut self, fix: impl Into<Fix>) {
        let fix = fix.into();
        if !self.is_coming || fix.kind().class() == RepairClass::Loss {
            self.repairs.add(&self.path, fix);
        }
    }

    pub(super) fn mend_all(&mut self, notes: Notes) {
        if self.is_coming {
            return;
        }
        for fix in notes.fixes() {
            self.repairs.add(&self.path, fix);
        }
    }

    /// Notes that the text ended in the middle of something here.
    pub(super) fn cut_here(&mut self) {
        if self.cut.is_none() {
            self.cut = Some(self.path.clone());
        }
    }

    /// Whether what can be read in two ways is read in the first.
    pub(super) fn doubt(&mut self) -> bool {
        self.is_unsure = true;
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

    /// Gives up when looking ahead has cost too much: the time stays linear in the text.
    pub(super) fn burn(&self, bytes: usize) -> Parse<()> {
        if self.fuel.burn(bytes) { Ok(()) } else { self.malformed("the text is too far from JSON") }
    }

    /// Reads a part of the value, at a step from it.
    pub(super) fn inside(
        &mut self,
        step: Step,
        read: impl FnOnce(&mut Self) -> Parse<Option<Value>>,
    ) -> Parse<(Step, Option<Value>)> {
        self.path.push(step);
        let value = read(self)?;
        // The step was pushed above, and whatever was pushed after it is gone.
        let step = self.path.pop().unwrap_or(Step::Index(0));
        Ok((step, value))
    }
}
