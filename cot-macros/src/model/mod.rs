//! Stage two: names become indices, and each task gets its kind.
//!
//! What can't be resolved is reported and left out, and the task that named it is *blurred*: it may
//! lead anywhere, so that no later check reports what only follows from the first mistake.

mod build;
mod kind;
mod names;
mod process;
mod seen;
mod state_uses;
mod task;
mod templates;
mod uses;

pub(crate) use build::build;
pub(crate) use process::Model;
pub(crate) use seen::{Place, RESERVED, Seen};
pub(crate) use state_uses::{FieldUse, StateUses};
pub(crate) use task::{Edge, Task};
pub(crate) use templates::Role;
pub(crate) use uses::{Exit, Uses, mentions, same_tokens};
