//! The trials of an eval.

pub(crate) mod eval;
mod metered_model;
pub(crate) mod reply_cache;
mod running;
mod scorer;
pub(crate) mod trial;
mod watch;
