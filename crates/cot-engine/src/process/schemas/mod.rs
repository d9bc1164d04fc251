//! JSON schemas of replies.

pub(crate) mod cache;
pub(crate) mod choice;
pub(crate) mod definitions;
