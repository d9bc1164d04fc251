//! Two runs side by side.

mod align;
mod diff;
pub(super) mod page;
mod step;
