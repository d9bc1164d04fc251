//! Forms as HTML.

mod control;
mod group;
pub(super) mod renderer;
