//! Parses JSON, strictly and leniently.

mod ahead;
pub(crate) mod array;
mod backslash;
mod close;
mod comment;
pub(crate) mod cursor;
mod draft;
mod escape;
pub(crate) mod fuel;
mod incomplete;
mod literal;
mod marked;
mod missing_quote;
mod note;
mod number;
mod object;
pub(crate) mod parsed;
mod quote;
pub(crate) mod run;
mod strict;
mod suspect;
mod text;
pub(crate) mod trace;
mod unclosed;
mod value;
mod verdict;
mod word;

pub(crate) use backslash::has_odd_escapes;
pub(crate) use incomplete::parse_incomplete;
pub(crate) use run::{lenient, lenient_incomplete};
pub(crate) use strict::parse as strict;
pub(crate) use strict::parse_start as strict_start;
pub(crate) use word::scalar;
