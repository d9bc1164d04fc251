//! Time travel: fork, compare, retry, cancel and start runs.

mod act;
mod compare;
mod fork;
mod fork_page;
mod json_text;
mod names;
pub(crate) mod routes;
mod start;
