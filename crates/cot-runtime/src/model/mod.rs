//! Wrappers around any model: prices, and limits of concurrent calls.

pub(crate) mod ext;
pub(crate) mod limited;
pub(crate) mod priced;
#[cfg(test)]
pub(crate) mod record;
