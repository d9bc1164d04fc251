//! The parser, for strict and lenient reading.

mod head;
mod lookahead;
mod marks;
mod nested;
pub(crate) mod parser;
mod quoted;
mod special;
mod stand_in;
mod stray;
mod word;

pub(crate) use head::{Head, head};
pub(crate) use marks::begins_name;
pub(crate) use special::specials;
pub(crate) use stray::Depths;
