//! Run events, for observers, streams and journals.

pub(crate) mod any_output;
pub(crate) mod display;
pub(crate) mod event;
pub(crate) mod journaled;
pub(crate) mod journaled_attempt;
pub(crate) mod map;
pub(crate) mod route;
