//! Replies that come in piece by piece.

pub(crate) mod reader;

#[cfg(test)]
mod tests;
