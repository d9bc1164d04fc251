//! Runs as traces: live, resumed and stored, of all that a run can do.

mod agents;
mod large;
mod live;
mod lossless;
mod office;
mod property;
mod stored;
