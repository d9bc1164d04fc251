//! What stores in databases keep in common: records as rows, prompts as lists of texts, numbers and times as columns.

pub(crate) mod number;
pub(crate) mod prompt;
pub(crate) mod prompt_list;
pub(crate) mod prompt_reader;
pub mod row;
