//! What a machine and its driver tell each other: directives, events, the keys of calls, and what observers see.

pub(crate) mod directive;
pub(crate) mod event;
pub(crate) mod key;
pub(crate) mod run_event;
