//! Outputs that are still coming in.

mod de;
mod incoming;
mod output;
mod reader;

pub use incoming::Incoming;
pub use output::PartialOutput;
pub(crate) use reader::{News, PartialReader};

#[cfg(test)]
mod tests;
