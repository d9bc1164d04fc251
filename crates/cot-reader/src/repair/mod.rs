//! What the reader repairs in a reply: the catalogue of all repairs, and those of one reading.

pub(crate) mod catalogue;
pub(crate) mod class;
pub(crate) mod fix;
pub(crate) mod repairs;
mod row;

#[cfg(test)]
mod tests;
