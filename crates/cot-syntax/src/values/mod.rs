//! The values of items.

pub(crate) mod duration;
pub(crate) mod for_each;
pub(crate) mod next;
pub(crate) mod on;
pub(crate) mod path;
pub(crate) mod state;
pub(crate) mod sub_process;
pub(crate) mod transitions;
pub(crate) mod update;
pub(crate) mod with;
