//! Tasks that perform tool calls of the state.

mod captured;
mod described;
mod desk;
mod gone;
mod histories;
mod running;
mod sources;
mod stored;
mod tested;
