//! Workers: they drive every run of their processes in a store.

mod claim;
pub(crate) mod error;
pub(crate) mod event;
mod held_back;
mod observers;
mod process;
mod settings;
mod shift;
mod verdict;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
pub(crate) mod worker;
