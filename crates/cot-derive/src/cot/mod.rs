//! Parses `#[cot(…)]`, the attribute of the derive itself.

mod cot_attributes;
mod item;
mod keys;
mod parse;
pub(super) mod self_members;

pub(super) use cot_attributes::{CotAttributes, Requirement, Rule, parse_attributes};
pub(super) use keys::Owner;
