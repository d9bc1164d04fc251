//! Tasks whose models call tools.

mod approvals;
mod arguments;
mod bad_input;
mod captured;
mod described;
mod limits;
mod rounds;
mod running;
mod shop;
mod snapshots;
mod stored;
mod tested;
