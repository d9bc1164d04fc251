//! Conditional compilation within the declaration of a process.

#[expect(clippy::module_inception, reason = "the file that the folder is about")]
mod conditions;

pub use conditions::{assume_true, crate_path, defer, evaluate};
