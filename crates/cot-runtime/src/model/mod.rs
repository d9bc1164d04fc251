//! Wrappers around any model: prices, limits of concurrency, and calls that are read while they stream.

pub(crate) mod ext;
pub(crate) mod limited;
pub(crate) mod priced;
#[cfg(test)]
pub(crate) mod record;
