//! Two runs side by side.

mod align;
pub(super) mod page;
mod side;
mod step;
