//! The parser: one for strict and for recovering reading.

mod head;
mod marks;
mod nested;
pub(crate) mod parser;
mod quoted;
mod searched;
mod special;
mod stand_in;
mod stray;
mod word;

pub(crate) use head::{Head, head};
pub(crate) use marks::begins_name;
pub(crate) use special::specials;
pub(crate) use stray::Depths;
