//! Where the lenient parser found values, keys and repairs.

pub(crate) mod locate;
mod record;
#[expect(clippy::module_inception, reason = "the file of the type that the folder is about")]
pub(crate) mod trace;
