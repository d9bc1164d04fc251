//! Parses `#[cot(…)]`, the attribute of the derive itself.

mod item;
mod keys;
pub(super) mod own;
mod parse;
mod says;

pub(super) use keys::Owner;
pub(super) use says::{Rule, Says, What, read};
