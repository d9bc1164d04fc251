//! Tools: the rounds of a task that asks a model, approvals, limits and failures.

mod approvals;
mod arguments;
mod bad_input;
mod limits;
mod rounds;
mod shop;
mod snapshots;
