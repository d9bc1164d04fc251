//! Finds the JSON in a reply: bare, in prose, in fenced code blocks, after thoughts.

pub(crate) mod calls;
pub(crate) mod candidate;
pub(crate) mod channel;
pub(crate) mod ends;
mod fault;
#[expect(clippy::module_inception, reason = "the file of the function that the folder is about")]
pub(crate) mod find;
mod fragment;
mod look;
pub(crate) mod prefix;
mod scan;
pub(crate) mod sequence;
pub(crate) mod tags;
mod whole;

#[cfg(test)]
mod tests;
