//! The values of items, with a parser for each.

pub(crate) mod duration;
pub(crate) mod effect;
pub(crate) mod effort;
pub(crate) mod engines;
pub(crate) mod for_each;
pub(crate) mod found_in;
pub(crate) mod functions;
pub(crate) mod json;
pub(crate) mod keyword;
pub(crate) mod next;
pub(crate) mod on;
pub(crate) mod order;
pub(crate) mod parallel;
pub(crate) mod parts;
pub(crate) mod path;
pub(crate) mod plain;
pub(crate) mod sequence;
pub(crate) mod state;
pub(crate) mod stop;
pub(crate) mod sub_process;
pub(crate) mod tools;
pub(crate) mod transitions;
pub(crate) mod update;
pub(crate) mod with;
pub(crate) mod word;
