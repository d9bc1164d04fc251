//! What generated code requires of the types of a state, and how it writes to them.

pub(crate) mod assigned;
pub(crate) mod field;
pub(crate) mod keyed;
