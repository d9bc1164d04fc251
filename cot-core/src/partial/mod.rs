//! Replies that come in piece by piece.

mod reader;

pub(crate) use reader::{News, PartialReader};

#[cfg(test)]
mod tests;
