//! Tasks whose models call tools.

mod approvals;
mod arguments;
mod bad_input;
mod limits;
mod rounds;
mod shop;
mod snapshots;
