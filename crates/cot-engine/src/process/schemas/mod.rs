//! JSON schemas of replies.

pub(crate) mod cache;
pub(crate) mod definitions;
