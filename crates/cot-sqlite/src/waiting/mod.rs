//! What people tell runs: answers and cancellations, which are stored until a driver applies them.

pub(crate) mod answers;
pub(crate) mod cancels;
pub(crate) mod watcher;
