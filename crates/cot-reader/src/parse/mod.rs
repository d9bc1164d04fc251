//! Text to JSON values: strictly, and with repairs.

use serde_json::Value;

use crate::reader::repair::{Repairs, Step};

mod ahead;
mod array;
mod backslash;
mod begun;
mod close;
mod comment;
mod cursor;
mod escape;
mod marked;
mod missed;
mod note;
mod number;
mod object;
mod quote;
mod run;
mod strict;
mod suspect;
mod text;
mod unclosed;
mod value;
mod word;

#[cfg(test)]
pub(in crate::reader) use array::LEFT_OUT;
pub(in crate::reader) use begun::begun;
pub(in crate::reader) use cursor::{Reason, Stop};
pub(in crate::reader) use run::{Fuel, Lenient, coming, lenient};
pub(super) use strict::parse as strict;
pub(in crate::reader) use strict::parse_start as strict_start;
pub(in crate::reader) use word::scalar;

/// What a text was read as.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Parsed {
    pub(crate) value: Value,
    pub(crate) repairs: Repairs,
    /// Where the text ended in the middle of something: within a string, a number or a word, after a
    /// comma or a colon. Closers alone that are missing at the end are no such place.
    pub(crate) cut: Option<Vec<Step>>,
}
