//! Text to JSON values: strictly, and with repairs.

mod ahead;
pub(crate) mod array;
mod backslash;
mod begun;
mod close;
mod comment;
pub(crate) mod cursor;
mod draft;
mod escape;
pub(crate) mod fuel;
mod literal;
mod marked;
mod missed;
mod note;
mod number;
mod object;
pub(crate) mod parsed;
mod quote;
pub(crate) mod run;
mod strict;
mod suspect;
mod text;
mod unclosed;
mod value;
mod verdict;
mod word;

pub(crate) use begun::begun;
pub(crate) use run::{coming, lenient};
pub(crate) use strict::parse as strict;
pub(crate) use strict::parse_start as strict_start;
pub(crate) use word::scalar;
