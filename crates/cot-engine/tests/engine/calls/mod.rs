//! Tasks that perform tool calls of the state.

mod desk;
mod performing;
mod snapshots;
