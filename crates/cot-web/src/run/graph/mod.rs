//! The graph of a process as a picture, with the path of a run.
//!
//! `model` takes the tasks and edges from a manifest or, without one, from the steps of the run; `layers` ranks
//! the tasks and decides which edges lead back; `layout` places them with the crate `rust-sugiyama` and routes
//! the edges; `draw` writes the SVG and `list` the same as text.

pub(super) mod draw;
pub(super) mod layers;
pub(super) mod layout;
pub(super) mod list;
pub(super) mod model;
#[cfg(test)]
mod tests;
