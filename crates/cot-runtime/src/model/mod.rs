//! Wrappers around any model: prices, and limits of calls.

pub(crate) mod ext;
pub(crate) mod hold;
pub(crate) mod limited;
pub(crate) mod priced;
pub(crate) mod rate_limited;
#[cfg(test)]
pub(crate) mod record;
