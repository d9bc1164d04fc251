//! The engine: a process as tables, its prompts, and the state machine of a run. It does no I/O.

pub(crate) mod description;
pub(crate) mod machine;
#[doc(hidden)]
pub mod private;
pub(crate) mod process;
pub(crate) mod prompt;
pub(crate) mod protocol;
pub(crate) mod reply;
pub(crate) mod run;
pub(crate) mod snapshot;
pub(crate) mod template;
pub(crate) mod values;
