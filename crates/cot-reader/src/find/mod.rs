//! Where the JSON of a reply is: bare, in prose, in fences, among thoughts.

pub(crate) mod candidate;
mod fault;
#[expect(clippy::module_inception, reason = "the file of the function that the folder is about")]
pub(crate) mod find;
mod look;
pub(crate) mod prefix;
mod scan;
pub(crate) mod sequence;
pub(crate) mod tags;
mod torn;
mod whole;

#[cfg(test)]
mod tests;
