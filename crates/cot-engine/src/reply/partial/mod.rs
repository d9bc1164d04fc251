//! Partial outputs of replies that are still being received.

pub(crate) mod reader;

#[cfg(test)]
mod tests;
