//! The catalogue of repairs, and the repairs of a reading.

pub(crate) mod catalogue;
pub(crate) mod class;
pub(crate) mod fix;
pub(crate) mod repairs;
mod row;

#[cfg(test)]
mod tests;
