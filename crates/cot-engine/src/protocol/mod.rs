//! The protocol between a machine and its driver: directives, events, keys of calls, and run events.

pub(crate) mod directive;
pub(crate) mod event;
pub(crate) mod key;
pub(crate) mod run_event;
