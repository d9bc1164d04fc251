//! Parses items, driven by their tables, and lists.

pub(crate) mod group;
pub(crate) mod item;
mod item_reader;
pub(crate) mod list;
mod misnamed;
pub(crate) mod row;
pub(crate) mod table;
pub(crate) mod value_syntax;
