//! The protocol between a machine and its driver: directives, events, keys of calls, open calls, and run events.

pub(crate) mod directive;
pub(crate) mod event;
pub(crate) mod key;
pub(crate) mod open_calls;
pub(crate) mod run_event;
